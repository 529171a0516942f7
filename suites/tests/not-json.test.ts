import { describe, expect, test } from 'vitest'
import { habitIn } from '../engine/http/not-json.ts'

describe('what keeps a text from being JSON', () => {
  test.each<[string, string | undefined]>([
    ['["a,]",]', 'a comma stands before a closing bracket'],
    ['{"a": [1, ] ,\n}', 'a comma stands before a closing bracket'],
    ['{"NaN": NaN}', 'NaN, Infinity and undefined are no JSON'],
    ['[-Infinity]', 'NaN, Infinity and undefined are no JSON'],
    [")]}',\n[]", 'before it stands what keeps scripts from including it'],
    ['while(1);[]', 'before it stands what keeps scripts from including it'],
    ['callback({"a": 1});', 'it is the call of a function (JSONP)'],
    ["{'name': None, 'is': True}", 'strings stand between apostrophes'],
    ['["a"', undefined],
    ['<html>', undefined],
    ['', undefined],
  ])('%j', (text, said) => {
    expect(habitIn(text, undefined)).toBe(said)
  })

  test('is that another follows, where the parser stopped after the first', () => {
    expect(habitIn('[][]', 2)).toBe('more follows after the first')
    expect(habitIn('[}', 1)).toBeUndefined()
  })

  test('is not looked for in a large text', () => {
    expect(habitIn(`["${'a'.repeat(1 << 14)}",]`, undefined)).toBeUndefined()
  })
})
