import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { ADVICE_BY_RULING, responseExamples } from '../../../fixtures/contract/examples.ts'
import { rulings } from '../../../fixtures/contract/rulings.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { generatedPages } from './docs.ts'

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

/** The number of characters that a message shows of a line. */
const SHOWN_CHARACTERS = 60

const excerptOf = (line = ''): string =>
  JSON.stringify(line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line)

/** Describes the first line that differs; undefined if the texts are equal. */
function describeFirstDifference(text: string, expected: string): string | undefined {
  const [lines, expectedLines] = [text.split('\n'), expected.split('\n')]
  const index = Array.from({ length: Math.max(lines.length, expectedLines.length) }, (_, nth) => nth).find(
    (nth) => lines[nth] !== expectedLines[nth],
  )
  if (index === undefined) return undefined
  return `line ${index + 1} is ${excerptOf(lines[index])}, expected ${excerptOf(expectedLines[index])}`
}

test('the generated pages are up to date: else run npm run docs', () => {
  const differences = Object.entries(generatedPages).flatMap(([file, page]) => {
    const difference = describeFirstDifference(read(file), page())
    return difference === undefined ? [] : `run npm run docs: in ${file}, ${difference}`
  })
  expect(differences).toEqual([])
})

test('the examples of correct responses are valid by the schemas', () => {
  const ajv = new Ajv2020()
  for (const name of ['name', 'list-element', 'list', 'lives-count', 'lives-answer'])
    ajv.addSchema(JSON.parse(read(`fixtures/contract/schemas/${name}.schema.json`)) as object, `${name}.schema.json`)
  for (const { schema, body } of responseExamples) {
    const validate = ajv.getSchema(`${schema}.schema.json`)
    expect(validate?.(JSON.parse(body)), body).toBe(true)
  }
})

test('each ruling has a summary for implementers, and each check names a mutant that it catches', () => {
  expect(Object.keys(ADVICE_BY_RULING).map(Number)).toEqual(rulings.map(({ number }) => number))
  const page = generatedPages['suites/CHECKS.md']?.() ?? ''
  expect(catalogue.map(({ id }) => id).filter((id) => !page.includes(`## \`${id}\`\n`))).toEqual([])
  const withoutMutant = [...page.matchAll(/^## `(.*)`$(?:(?!^## )[^])*?\*\*(?:catches|advises)\*\* $/gm)]
  expect(withoutMutant.map(([, id]) => `add a mutant to fixtures/mutants/ that names ${id}`)).toEqual([])
})
