import type { VerdictScope } from '../../suites/engine/check/verdict.ts'

/** Returns the key by which two reports are compared check by check: the id and the version. */
export const checkKeyOf = ({ id, version }: { readonly id: string; readonly version: VerdictScope }): string =>
  `${id} ${version}`

/** Returns the key of an open point of the contract: its id, with operation and version. */
export const openPointKeyOf = (point: {
  readonly id: string
  readonly operation?: string
  readonly version: VerdictScope
}): string => [point.id, point.operation ?? [], point.version].flat().join(' ')

/** Returns the entries of two reports that have the same key, in the order of the later report. */
export function pairByKey<T>(
  before: readonly T[],
  now: readonly T[],
  keyOf: (entry: T) => string,
): readonly { readonly was: T; readonly is: T }[] {
  const earlier = new Map(before.map((one) => [keyOf(one), one]))
  return now.flatMap((is) => {
    const was = earlier.get(keyOf(is))
    return was === undefined ? [] : [{ was, is }]
  })
}
