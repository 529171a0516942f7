import { describe, expect, test } from 'vitest'
import { findCommonMistake } from '../../engine/http/decode/not-json.ts'

/** Returns the message of Node's JSON parser, which differs between its versions, for a text that is not JSON. */
function parserMessageOf(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('the reason why a text is no JSON', () => {
  test.each<[string, string | undefined]>([
    ['["a,]",]', 'there is a comma before a closing bracket'],
    ['{"a": [1, ] ,\n}', 'there is a comma before a closing bracket'],
    ['{"NaN": NaN}', 'the body contains NaN, which JSON does not allow'],
    ['[-Infinity]', 'the body contains -Infinity, which JSON does not allow'],
    [")]}',\n[]", "a prefix against JSON hijacking, such as )]}', stands before the JSON"],
    ['while(1);[]', "a prefix against JSON hijacking, such as )]}', stands before the JSON"],
    ['callback({"a": 1});', 'the JSON is wrapped in a function call (JSONP)'],
    ["{'name': None, 'is': True}", 'strings have single quotes instead of double quotes'],
    ['[][]', 'more text follows after the first JSON text'],
    ['[}', undefined],
    ['["a"', 'the JSON is cut short'],
    ['["a", "b', 'the JSON is cut short'],
    ['[{"a": tr', 'the JSON is cut short'],
    ['["a" "b"]', undefined],
    ['<html>', undefined],
  ])('the reason why %j is no JSON is named', (text, mistake) => {
    expect(findCommonMistake(text, parserMessageOf(text))).toBe(mistake)
  })

  test('the reason is not searched for in a large text', () => {
    const large = `["${'a'.repeat(1 << 14)}",]`
    expect(findCommonMistake(large, parserMessageOf(large))).toBeUndefined()
  })
})
