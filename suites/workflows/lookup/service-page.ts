import { type Clause, clauseKindExplanations, type Ruling } from '../../../fixtures/contract/clause.ts'
import { ADVICE_BY_RULING, responseExamples } from '../../../fixtures/contract/examples.ts'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import openapi from '../../../fixtures/contract/openapi.json' with { type: 'json' }
import { operations, versions } from '../../../fixtures/contract/operations.ts'
import { timeRulings } from '../../../fixtures/contract/rulings/time.ts'
import { verdictRulings } from '../../../fixtures/contract/rulings/verdicts.ts'
import { rulings } from '../../../fixtures/contract/rulings.ts'
import { type Statement, statements } from '../../../fixtures/contract/statements.ts'

const renderTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(renderCell).join(' | ')} |`).join('\n')

const renderCell = (text: string): string => escapeAngleBrackets(text.replaceAll('|', '\\|'))

/** Escapes angle brackets outside code, because Markdown would treat them as HTML. */
const escapeAngleBrackets = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replace(/<(?=[a-z_]+>)/g, '\\<') : part))
    .join('`')

const renderCode = (text: string): string => `\`${text}\``

const RESPONSE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  listCats: 'the list of all cats',
  listBreeds: 'the list of all breeds',
  listCatsOfBreed: 'the list of all cats of that breed',
  searchCats: 'the list of the cats whose name or breed matches the query',
  getLivesLeft: 'how many lives the named cat still has left',
}

const renderClause = ([id, { kind, sentence }]: readonly [string, Clause]): string =>
  `- **${id}** (${kind}) ${escapeAngleBrackets(sentence)}`

const renderRuling = ({ number, title, clauses }: Ruling, plain?: string): string =>
  [
    `### ${number}. ${title}`,
    '',
    ...(plain === undefined ? [] : [`**${escapeAngleBrackets(plain)}**`, '']),
    ...Object.entries(clauses).map(renderClause),
  ].join('\n')

const introduction = [
  '# The cat directory, for those who implement it',
  `The service is a directory of cats and cat breeds that clients can only read. The service has two versions of its interface, which it serves side by side under the path prefixes ${versions.join(' and ')}. Paths are relative to a base URL, which may itself have a path, such as \`https://cats.example.org/api\`. This page contains everything that is known about the service. \`openapi.json\` and \`schemas/\` contain the same interface as data; \`--openapi\` prints \`openapi.json\`.`,
  '## The five operations',
  renderTable(
    ['operation', 'request', 'versions', 'response'],
    operations.map(({ id, method, path, versions: ownVersions }) => [
      renderCode(id),
      renderCode(`${method} ${path.replace('{?q}', '?q={q}')}`),
      ownVersions.join(', '),
      RESPONSE_DESCRIPTIONS[id] ?? '',
    ]),
  ),
  'Each operation is a GET request without a body. The parameters of operations are percent-encoded strings.',
  '## Correct responses',
  'The responses below are examples from different services. Lists and elements may be wrapped in any way, and may have any other members. For clients, it is easiest if both versions use the same shapes. If the shapes differ, the suite gives advice (`parity/shapes`).',
  renderTable(
    ['request', 'body'],
    responseExamples.map(({ request, body }) => [renderCode(request), renderCode(body)]),
  ),
  '404 is a correct response to a request for a name that no breed or cat has, and to a request for `lives_left` in v2.',
]

/** Renders the documentation for people who implement the service, as Markdown, from the data of the contract. */
export function renderServicePage(): string {
  return `${[
    ...introduction,
    '## Requirements',
    renderTable(
      ['id', 'statement'],
      statements.map((one: Statement) => [
        renderCode(one.id),
        one.source === undefined ? one.sentence : `${one.sentence} (${one.source})`,
      ]),
    ),
    '## Open points',
    'The interface document leaves these points open, so each deployment chooses its own behaviour. The suite reports the choice, and judges it only if a profile pins it.',
    renderTable(
      ['id', 'question', 'examples of choices'],
      openPoints.map(({ id, question, values }) => [renderCode(id), question, values.join('; ')]),
    ),
    '## Rulings',
    'Each ruling says when a requirement counts as violated. The suite brings no names of cats or breeds: it tests with *listed names*, which the deployment itself lists, and with strings derived from them. An *unlisted name* is any other string. A *refusal* is a 4xx answer. Each clause of a ruling has one of these kinds:',
    Object.entries(clauseKindExplanations)
      .map(([kind, meaning]) => `- ${kind}: ${meaning}`)
      .join('\n'),
    ...rulings.map((ruling) => renderRuling(ruling, ADVICE_BY_RULING[ruling.number])),
    '## Time',
    'While the suite tests a live directory, cats are added and removed, cats lose lives, services restart, caches keep copies, and replicas lag. The clauses of this section say how the suite tells defects from such changes, from stale copies, and from side effects of its own requests.',
    ...timeRulings.map((ruling) => renderRuling(ruling)),
    '## Verdicts',
    'The clauses of this section say how a check, a run and a profile are judged.',
    ...verdictRulings.map((ruling) => renderRuling(ruling)),
  ].join('\n\n')}\n`
}

/** Renders the interface of the cat directory as OpenAPI 3.1. */
export const renderOpenApi = (): string => `${JSON.stringify(openapi, null, 2)}\n`
