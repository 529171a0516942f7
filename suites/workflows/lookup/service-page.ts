import { type Clause, clauseKindExplanations, type Ruling } from '../../../fixtures/contract/clause.ts'
import { ADVICE_BY_RULING, responseExamples } from '../../../fixtures/contract/examples.ts'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
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
  searchCats: 'the list of the cats that match, by name or by breed',
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
  `A read-only HTTP service: a directory of cats and of cat breeds, served side by side under two path prefixes, ${versions.join(' and ')}. Paths are relative to a base URL, which may itself have a path, such as \`https://cats.example.org/api\`. This page is complete: nothing else is known of the service. The same as data: \`openapi.json\` and \`schemas/\` (\`--openapi\` prints the former).`,
  '## The five operations',
  renderTable(
    ['operation', 'request', 'versions', 'response'],
    operations.map(({ id, method, path, versions: its }) => [
      renderCode(id),
      renderCode(`${method} ${path.replace('{?q}', '?q={q}')}`),
      its.join(', '),
      RESPONSE_DESCRIPTIONS[id] ?? '',
    ]),
  ),
  'Each is a GET without a body. Parameters are strings, percent-encoded.',
  '## Correct responses',
  'These are examples from several services. Lists and elements may be wrapped in any way and may have any other members. The same shape in both versions is easiest for clients; where shapes differ, the suite gives advice (`parity/shapes`).',
  renderTable(
    ['request', 'body'],
    responseExamples.map(({ request, body }) => [renderCode(request), renderCode(body)]),
  ),
  'For a name that no breed or cat has, and for `lives_left` in v2: 404, for example.',
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
    'The suite observes and reports what you chose here, and never judges it, unless a profile pins it.',
    renderTable(
      ['id', 'question', 'for example'],
      openPoints.map(({ id, question, values }) => [renderCode(id), question, values.join('; ')]),
    ),
    '## Rulings',
    'Each ruling says when a requirement counts as broken. The suite has no names of its own: it tests with the names that the deployment lists, and with strings derived from them. Each clause has one of these kinds:',
    Object.entries(clauseKindExplanations)
      .map(([kind, meaning]) => `- ${kind}: ${meaning}`)
      .join('\n'),
    ...rulings.map((ruling) => renderRuling(ruling, ADVICE_BY_RULING[ruling.number])),
    '## Time',
    'A live directory gains and loses cats, cats lose lives, services restart, caches keep copies, replicas lag. The suite separates defects from change, stale copies and side effects.',
    ...timeRulings.map((ruling) => renderRuling(ruling)),
    '## Verdicts',
    ...verdictRulings.map((ruling) => renderRuling(ruling)),
  ].join('\n\n')}\n`
}
