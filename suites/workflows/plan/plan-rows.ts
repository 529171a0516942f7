import { type OperationId, operations, versions } from '../../../fixtures/contract/operations.ts'
import { encodeQueryValue, encodeSegment } from '../../directory/shared/encodings.ts'
import { targetOf } from '../../directory/shared/targets.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import { type ImaginedDirectory, imaginedCatsIn, imaginedControlNames } from './imagined-directory.ts'

/** The requests of an operation in some versions. */
export interface PlanRow {
  readonly method: string
  /** The request target without its version, split at its parameter. */
  readonly path: readonly [before: string, after: string]
  readonly versions: ReadonlySet<string>
  /** Descriptions of parameter values that depend on the deployment or the seed. */
  readonly descriptions: ReadonlySet<string>
  /** Parameter values that do not depend on the deployment. */
  readonly strings: ReadonlySet<string>
}

const PARAMETER_MARK = '\u0000'

/** The fixed parts of each operation's targets, below the version. */
const targetTemplates = operations
  .filter(({ parameters }) => parameters.length > 0)
  .map(({ id }) => {
    const [before = '', after = ''] = splitVersion(targetOf(id, versions[0], PARAMETER_MARK)).target.split(
      PARAMETER_MARK,
    )
    return { id, before, after }
  })

export function splitVersion(target: string): { readonly version: string; readonly target: string } {
  const [, version = '', rest = target] = /^\/([^/?]+)(.*)$/s.exec(target) ?? []
  return versions.some((one) => one === version) ? { version, target: rest } : { version: '', target }
}

const decodeOrUndefined = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

type ParameterValue = { readonly description: string } | { readonly string: string }

/** The parameter value in a target. @param isFixed whether a directory with other names got the same request */
function classifyParameter(
  value: string,
  operation: OperationId,
  directory: ImaginedDirectory,
  isFixed: boolean,
): ParameterValue {
  const text = decodeOrUndefined(value)
  const encode = operation === 'searchCats' ? encodeQueryValue : encodeSegment
  const isPlain = text !== undefined && encode(text) === value
  const kinds = { cat: imaginedCatsIn(directory), breed: Object.keys(directory.breeds) }
  for (const [kind, names] of Object.entries(kinds))
    if (text !== undefined && names.includes(text))
      return { description: isPlain ? `each listed ${kind}` : 'listed names in other encodings' }
  if (text !== undefined && imaginedControlNames.has(text)) return { description: 'a name that nothing has' }
  return isFixed ? { string: isPlain ? text : value } : { description: 'what is made of listed names' }
}

/**
 * Groups requests by operation and parameter value.
 * @param requests the requests to a directory
 * @param elsewhere targets below their versions that a directory with other names got too
 */
export function groupRequests(
  requests: readonly Request[],
  directory: ImaginedDirectory,
  elsewhere: ReadonlySet<string>,
): readonly PlanRow[] {
  const rows = new Map<
    string,
    { [K in keyof PlanRow]: PlanRow[K] extends ReadonlySet<string> ? Set<string> : PlanRow[K] }
  >()
  for (const { method, target: whole } of requests) {
    const { version, target } = splitVersion(whole)
    const template = targetTemplates.find(
      ({ before, after }) =>
        target.length >= before.length + after.length && target.startsWith(before) && target.endsWith(after),
    )
    const path = template ? ([template.before, template.after] as const) : ([target, ''] as const)
    const put =
      template &&
      classifyParameter(
        target.slice(path[0].length, target.length - path[1].length),
        template.id,
        directory,
        elsewhere.has(target),
      )
    const key = `${method} ${version === '' ? '!' : ''}${path.join(PARAMETER_MARK)}`
    const row = rows.get(key) ?? { method, path, versions: new Set(), descriptions: new Set(), strings: new Set() }
    rows.set(key, row)
    if (version !== '') row.versions.add(version)
    if (put && 'description' in put) row.descriptions.add(put.description)
    if (put && 'string' in put) row.strings.add(put.string)
  }
  return [...rows.values()]
}
