import { examples, plainly } from '../../../fixtures/contract/examples.ts'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations, versions } from '../../../fixtures/contract/operations.ts'
import { rulings } from '../../../fixtures/contract/rulings.ts'
import { type Statement, statements } from '../../../fixtures/contract/statements.ts'

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

const cell = (text: string): string => visible(text.replaceAll('|', '\\|'))

/** What stands in angle brackets is no HTML; in code it is as it stands. */
const visible = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replace(/<(?=[a-z_]+>)/g, '\\<') : part))
    .join('`')

const code = (text: string): string => `\`${text}\``

const answers: Readonly<Record<string, string>> = {
  listCats: 'the list of all cats',
  listBreeds: 'the list of all breeds',
  listCatsOfBreed: 'the list of all cats of the breed so named',
  searchCats: 'the list of the cats that match, by their names or their breeds',
  getLivesLeft: 'how many lives the cat of that name still has left',
}

/** The interface, for those who implement it: made of the contract's data alone, as Markdown. */
export function servicePage(): string {
  return `${[
    '# The cat directory, for those who implement it',
    `A read-only HTTP service: a directory of cats and of cat breeds, served side by side under two path prefixes, ${versions.join(' and ')}. Paths are relative to a base URL, which may itself have a path, such as \`https://cats.example.org/api\`. This page is complete: nothing else is known of the service. As data: \`openapi.json\` and \`schemas/\` (\`--openapi\` prints the former).`,
    '## The five operations',
    table(
      ['operation', 'request', 'versions', 'answers with'],
      operations.map(({ id, method, path, versions: its }) => [
        code(id),
        code(`${method} ${path.replace('{?q}', '?q={q}')}`),
        its.join(', '),
        answers[id] ?? '',
      ]),
    ),
    'Each is a GET without a body. Parameters are strings, percent-encoded.',
    '## Answers that are right',
    'Examples of many services: wrap lists and elements as you like, with whatever other fields. In one service, one shape in both versions is easiest on clients; where they differ, that is advice (`parity/shapes`), and breaks nothing.',
    table(
      ['request', 'body'],
      examples.map(({ request, body }) => [code(request), code(body)]),
    ),
    'A name that no breed or no cat has, and `lives_left` in v2: 404, say.',
    '## What to see to',
    rulings.map(({ number, title }) => `${number}. **${title}.** ${visible(plainly[number] ?? '')}`).join('\n'),
    '## What is promised',
    table(
      ['id', 'statement'],
      statements.map((one: Statement) => [
        code(one.id),
        one.source === undefined ? one.sentence : `${one.sentence} (${one.source})`,
      ]),
    ),
    '## What is yours to choose',
    'Nothing of this is judged; a run tells what you chose.',
    table(
      ['open point', 'question', 'for example'],
      openPoints.map(({ id, question, values }) => [code(id), question, values.join('; ')]),
    ),
    '## How it is judged, word for word',
    'Whatever can be asked of any deployment is asked through names that the deployment itself lists; the suite knows no cat.',
    rulings.map(({ number, title, text }) => `${number}. **${title}.** ${visible(text)}`).join('\n'),
  ].join('\n\n')}\n`
}
