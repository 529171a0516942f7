import type { Deployment } from '../../directory/deployment.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { isErrorInJson } from '../../directory/readings/media-type.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { NotApplicable, reportViolation } from '../../engine/check/violations.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { CheckProbe } from './check.ts'

type RefusedReading = ListReading & { readonly kind: 'refused' }

const isRefused = (reading: unknown): reading is RefusedReading =>
  typeof reading === 'object' && reading !== null && 'kind' in reading && reading.kind === 'refused'

/** Returns whether the resource is a list or the lives of a cat. Only their readings say what is wrong with an error. */
const isListOrLives = ({ key }: Resource<unknown>): boolean => key.startsWith('/')

/** Gives advice if an error (4xx) with a JSON media type is not JSON. Examines the responses that the run already has. */
export const probeErrorBodies: CheckProbe<Deployment> = async ({ readings, verify }) => {
  const errors = readings
    .resourcesRead()
    .filter((resource) => isListOrLives(resource) && readings.exchangesFor(resource).some(isErrorInJson))
  if (errors.length === 0) throw new NotApplicable('no response with a status of 4xx has a body in JSON')
  const readErrors = errors.map(async (resource) => {
    const reading = await readings.read(resource).catch(resolveInconclusiveTo(undefined))
    return isRefused(reading) && reading.invalidJson !== undefined ? [resource] : []
  })
  const invalid = (await Promise.all(readErrors)).flat()
  await verify(async (read) => {
    const [first] = invalid
    if (!first) return
    const reading = await read(first)
    if (!isRefused(reading) || reading.invalidJson === undefined) return
    reportViolation({
      expected: 'one well-formed JSON text in UTF-8, because the media type is JSON',
      actual: `the error ${reading.status} to GET ${first.key} has a JSON media type, but ${reading.invalidJson} (${invalid.length} of ${errors.length} errors affected)`,
      defectKind: 'an error that is not JSON',
      shownBy: [first],
      isWrongByItself: true,
    })
  })
}
