import { counted } from '../../../reports/text/wording.ts'
import type { Comparison } from './against.ts'
import { type Difference, isRegression } from './comparison.ts'

const titles: readonly (readonly [Difference['kind'], string])[] = [
  ['broken', 'broken here, kept there'],
  ['choice', 'chosen otherwise'],
  ['behaviour', 'another answer to the same input'],
  ['addition', 'added here'],
  ['mended', 'kept here, broken there'],
  ['place', 'depends on where it runs'],
]

function differenceLines({ what, input, other, candidate, curl }: Difference): readonly string[] {
  return [
    `  ${what}`,
    ...(input === undefined ? [] : [`    input      ${input}`]),
    `    there      ${other}`,
    `    here       ${candidate}`,
    ...curl.map((line) => `    again      ${line}`),
  ]
}

const MOST_NAMES = 3

function namesLine(version: string, side: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name))
  return [`  ${version}: only ${side} lists ${shown.join(', ')}${more}`]
}

function whole(regressions: number, isDecided: boolean): string {
  if (regressions > 0) return counted(regressions, 'difference')
  return isDecided ? 'it keeps what the other keeps, and chose alike' : 'inconclusive, for not all could be asked'
}

/** The comparison as text, one line per difference; hostile until escaped. */
export function comparisonLines(comparison: Comparison): readonly string[] {
  const { other, differences, names, notCompared, isDecided, unreached } = comparison
  if (unreached !== undefined) return [`not compared with ${other}, for ${unreached}`]
  const regressions = differences.filter(isRegression).length
  const data = Object.entries(names).flatMap(([version, { onlyOther, onlyCandidate }]) => [
    ...namesLine(version, 'the other', onlyOther),
    ...namesLine(version, 'the candidate', onlyCandidate),
  ])
  return [
    `compared with ${other}: ${whole(regressions, isDecided)}`,
    ...titles.flatMap(([kind, title]) => {
      const ofKind = differences.filter((one) => one.kind === kind)
      return ofKind.length === 0 ? [] : ['', title, ...ofKind.flatMap(differenceLines)]
    }),
    ...(data.length === 0 ? [] : ['', 'other data, no other behaviour', ...data]),
    ...(notCompared.length === 0 ? [] : ['', 'not compared', ...notCompared.map((one) => `  ${one}`)]),
  ]
}
