import type { Reader, Resource } from '../../engine/check/readers.ts'
import { decodeOrUndefined } from '../../engine/http/client/reference.ts'

/**
 * Finds the texts that requests of one kind contained so far, e.g. the names whose lives were read.
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

/**
 * Finds the texts that requests of one kind contained so far in the usual percent-encoding.
 * @param encode returns a text in the usual percent-encoding
 * @returns the texts, decoded
 */
export const findUsuallyEncodedTexts = (
  readings: Pick<Reader, 'resourcesRead'>,
  resourceOf: (text: string) => Resource<unknown>,
  encode: (text: string) => string,
): readonly string[] =>
  findSentTexts(readings, resourceOf).flatMap((sent) => {
    const text = decodeOrUndefined(sent)
    return text !== undefined && encode(text) === sent ? [text] : []
  })
