import { expect, test } from 'vitest'
import { createElementPattern, createStringPattern } from '../../engine/finding/json-spelling.ts'

test.each([
  ['Tom', '"Tom"'],
  ['たま', '"\\u305F\\u307e"'],
  ['😺', '"😺"'],
  ['😺', '"\\ud83d\\uDE3A"'],
  ['AC/DC', '"AC\\u002fDC"'],
  ['say "hi" \\ to\nTom', '"say \\"hi\\" \\\\ to\\nTom"'],
  ['say "hi" \\ to\nTom', '"say \\u0022hi\\u0022 \\u005c to\\u000ATom"'],
])('the string %j is found in a JSON text that spells it %s', (name, spelling) => {
  expect(JSON.parse(spelling)).toBe(name)
  expect(`["Mia",${spelling}]`.search(createStringPattern(name))).toBe(7)
  expect(`["${spelling.slice(1)}x"]`.search(createStringPattern(`${name}x`))).toBe(-1)
})

test.each([
  ['null', '[{"a": null, "b": [1, 2]},\n  null ]', 29],
  ['7', '[77, 17, 7]', 9],
  ['{"id":5,"breed":"たま"}', '[{"id":55}, { "id": 5,\n\t"breed" : "\\u305f\\u307e" }]', 12],
  ['{"id":5,"name":["To…', '[{"id":5,"name":{}}, {"id":5,"name":["Tomcat"]}]', 21],
])('the element %s is found in the JSON text %s', (element, json, place) => {
  expect(json.search(createElementPattern(element))).toBe(place)
})

test('the search for a string or element ends soon, whatever a body contains', () => {
  const backslashes = `"${'\\'.repeat(60)}`.repeat(4000)
  expect(backslashes.search(createStringPattern(`${'\\'.repeat(40)}x`))).toBe(-1)
  expect(`[${' '.repeat(1_000_000)}1]`.search(createElementPattern('null'))).toBe(-1)
  expect('[ '.repeat(500_000).search(createElementPattern('[[[[[[["x"]]]]]]]'))).toBe(-1)
})
