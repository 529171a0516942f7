import type { Directory } from '../../directory/facts/directory.ts'
import { PLAIN_QUERY } from '../../directory/inputs/quick-inputs.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import type { Read } from '../../engine/check/readers.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'

const sampleResourcesOf = ({ cats, breeds, search }: Directory) => [cats, breeds, search(PLAIN_QUERY)]

/**
 * Converts the error that not all pages of a list can be read to a reading: the operation is served nevertheless.
 * Throws any other error again.
 */
function convertToUnreadable(error: unknown): ListReading {
  if (error instanceof Inconclusive && error.kind === 'unreadable')
    return { kind: 'unreadable', why: error.text, advice: error.advice }
  throw error
}

const isServed = ({ kind }: ListReading): boolean => kind !== 'refused' && kind !== 'failed'

/**
 * Reads the lists of cats and breeds and one search in each version. If one of them is served, leaves out those that
 * could not be requested because the limit of requests was reached.
 * @returns the resources, their readings in the same order, and the readings of those that are served
 */
export async function readSampleLists(directories: readonly Directory[], read: Read) {
  const all = await Promise.allSettled(
    directories.flatMap(sampleResourcesOf).map(async (resource) => ({
      resource,
      reading: await read(resource).catch(convertToUnreadable),
    })),
  )
  const samples = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const served = samples.map(({ reading }) => reading).filter(isServed)
  for (const one of all)
    if (one.status === 'rejected' && !(isLimitReached(one.reason) && served.length > 0)) throw one.reason
  return { resources: samples.map(({ resource }) => resource), readings: samples.map(({ reading }) => reading), served }
}

const isLimitReached = (error: unknown): boolean => error instanceof Inconclusive && error.kind === 'budget'

/**
 * Returns whether a response asks for credentials: by its status, or because it is a login page or a redirect to one
 * (R1.4).
 * @param statuses the statuses that ask for credentials
 */
export const asksForCredentials = (reading: ListReading, statuses: readonly number[]): boolean =>
  (reading.kind === 'refused' && statuses.includes(reading.status)) ||
  (reading.kind === 'not-json' && reading.isLoginPage) ||
  (reading.kind === 'failed' && reading.isLoginRedirect === true)
