import type { Reader, Resource } from '../../engine/check/readers.ts'

/**
 * Finds the texts that requests of one kind contained, e.g. the names whose lives were read.
 * @param resourceOf returns the resource for a text, e.g. `directory.raw.lives`
 * @returns the texts as they were sent, i.e. percent-encoded
 */
export function findSentTexts(
  readings: Pick<Reader, 'resourcesRead'>,
  resourceOf: (text: string) => Resource<unknown>,
): readonly string[] {
  const [before = '', after = ''] = resourceOf('\n').key.split('\n')
  return readings
    .resourcesRead()
    .filter(({ key }) => key.startsWith(before) && key.endsWith(after))
    .map(({ key }) => key.slice(before.length, key.length - after.length))
}
