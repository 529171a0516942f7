import { formatCount } from '../../../reports/text/wording.ts'
import type { DeploymentComparison } from './against.ts'
import { type Difference, isRegression } from './difference.ts'

const DIFFERENCE_TITLES: readonly (readonly [Difference['kind'], string])[] = [
  ['broken', 'violations only of the candidate'],
  ['choice', 'different choices at open points'],
  ['behaviour', 'different results for the same input'],
  ['addition', 'additions of the candidate (these fail nothing)'],
  ['fixed', 'violations only of the other deployment (these fail nothing)'],
  ['place', 'differences of data or environment (these fail nothing)'],
]

function renderDifference({ what, input, other, candidate, curl }: Difference): readonly string[] {
  return [
    `  ${what}`,
    ...(input === undefined ? [] : [`    input      ${input}`]),
    `    other      ${other}`,
    `    candidate  ${candidate}`,
    ...curl.map((line) => `    again      ${line}`),
  ]
}

const MAX_NAMES = 3

/** Renders a line about the names that only one side lists; none if there are no such names. */
function renderNames(version: string, side: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const shown = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(name))
  return [`  ${version}: only ${side} lists ${shown.join(', ')}${more}`]
}

function describeResult(regressions: number, isDecided: boolean): string {
  if (regressions > 0) return formatCount(regressions, 'difference')
  return isDecided ? 'no breaking difference' : 'inconclusive, because not everything could be compared'
}

/**
 * Renders the comparison as text, one line per fact. The caller must escape the text, which may come from a deployment.
 */
export function renderComparison(comparison: DeploymentComparison): readonly string[] {
  const { other, differences, names, notCompared, isDecided, unreached } = comparison
  if (unreached !== undefined) return [`not compared with ${other}: ${unreached}`]
  const regressions = differences.filter(isRegression).length
  const data = Object.entries(names).flatMap(([version, { onlyOther, onlyCandidate }]) => [
    ...renderNames(version, 'the other', onlyOther),
    ...renderNames(version, 'the candidate', onlyCandidate),
  ])
  return [
    `compared with ${other}: ${describeResult(regressions, isDecided)}`,
    ...DIFFERENCE_TITLES.flatMap(([kind, title]) => {
      const sameKind = differences.filter((one) => one.kind === kind)
      return sameKind.length === 0 ? [] : ['', title, ...sameKind.flatMap(renderDifference)]
    }),
    ...(data.length === 0 ? [] : ['', 'different data', ...data]),
    ...(notCompared.length === 0 ? [] : ['', 'not compared', ...notCompared.map((one) => `  ${one}`)]),
  ]
}
