import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { type Variant, variants } from '../../../fixtures/variants/index.ts'
import type { Deployment } from '../../directory/deployment.ts'
import type { Check } from '../../engine/check/check.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { described, variableOf } from '../../options/option.ts'
import { rows } from '../../options/table.ts'
import { servicePage } from '../../workflows/lookup/service-page.ts'

/** Every page that is made of data, by where it stands: a test keeps them in step, `npm run docs` writes them. */
export const pages: Readonly<Record<string, () => string>> = {
  'fixtures/contract/README.md': servicePage,
  'suites/CHECKS.md': checksPage,
  '.env.example': environmentPage,
}

function environmentPage(): string {
  const comment = [
    '# Copy to .env and fill in what you need. Empty means unset; the environment wins over .env, options win over both.',
    '# Switches are 1 or 0. A value with # or blanks stands in double quotes, several headers as "A: 1\\nB: 2".',
  ].join('\n')
  return `${[comment, ...rows.map((option) => `# ${described(option)}\n${variableOf(option)}=`)].join('\n\n')}\n`
}

/** The mutants that name a check in full: it is to catch them, alone or as one of several. Of advice, who is given it. */
function caughtBy({ id, level, scopes }: Check<Deployment>): string[] {
  const isAdvised = ({ advised }: Variant) => scopes.some((scope) => advised.includes(`${id} ${scope}`))
  if (level === 'should') return variants.filter(isAdvised).map((variant) => variant.id)
  const still = mutants.filter((mutant) => mutant.caughtBy.some(({ check }) => check === id))
  const timed = timedMutants.filter(({ catchers }) => catchers.includes(id))
  return [...still, ...timed].map((mutant) => mutant.id)
}

function checksPage(): string {
  return `${[
    '# Every check',
    '<!-- Made by `npm run docs` of the catalogue and of the mutants: edit those. -->',
    `What each of the ${catalogue.length} checks promises, what that rests on, how it is asked, and the mutants (deployments with one defect) that it is there to catch, or the variants that it advises: \`npm run service -- --as ID\` serves any of them. The statements and rulings stand in [the page of the service](../fixtures/contract/README.md).`,
    ...catalogue.map(entry),
  ].join('\n\n')}\n`
}

function entry(check: Check<Deployment>): string {
  const { id, title, level, scopes, statements, clauses, why, how, fix, requires } = check
  const caught = caughtBy(check)
  return [
    `## \`${id}\``,
    '',
    `${level === 'must' ? 'Must' : 'Should'}: ${title} (${scopes.join(', ')}).`,
    '',
    `- **rests on** ${[...statements, ...clauses].join(', ')}`,
    ...(requires.length === 0 ? [] : [`- **needs** ${requires.map((one) => `\`${one}\``).join(', ')}`]),
    `- **why** ${why}`,
    `- **how** ${how}`,
    `- **fix** ${fix}`,
    `- **${level === 'must' ? 'catches' : 'advises'}** ${caught.map((one) => `\`${one}\``).join(', ')}`,
  ].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [file, page] of Object.entries(pages)) writeFileSync(new URL(`../../../${file}`, import.meta.url), page())
