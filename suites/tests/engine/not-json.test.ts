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
    ['["a,]",]', 'a comma stands before a closing bracket'],
    ['{"a": [1, ] ,\n}', 'a comma stands before a closing bracket'],
    ['{"NaN": NaN}', 'it contains NaN, which is no JSON'],
    ['[-Infinity]', 'it contains -Infinity, which is no JSON'],
    [")]}',\n[]", 'before it stands what keeps scripts from including it'],
    ['while(1);[]', 'before it stands what keeps scripts from including it'],
    ['callback({"a": 1});', 'it is the call of a function (JSONP)'],
    ["{'name': None, 'is': True}", 'strings stand between apostrophes'],
    ['[][]', 'more follows after the first'],
    ['[}', undefined],
    ['["a"', 'it is cut short'],
    ['["a", "b', 'it is cut short'],
    ['[{"a": tr', 'it is cut short'],
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
