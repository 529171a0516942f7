import type { Check } from '../check/check.ts'
import { createCachingReader } from '../check/readers.ts'
import type { Verdict } from '../check/verdict.ts'
import { bearsOn, type CheckRun, type Cite, type Plan } from './plan.ts'
import { Runner } from './runner.ts'

/** The checks that are tried again, as they are then. */
const triedAgain = <T>({ checks, selects, path }: Plan<T>): readonly Check<T>[] => {
  const some = path === undefined ? checks.filter(({ id, triesAgain }) => triesAgain.length > 0 && selects(id)) : []
  const isOne = (id: string) => some.some((check) => check.id === id)
  return some.map(({ account: _account, ...check }) => ({
    ...check,
    requires: check.requires.filter(isOne),
    explainedBy: check.explainedBy.filter(isOne),
    triesFirst: [],
    triesMeanwhile: [],
    tries: check.triesAgain,
  }))
}

/** What a check came to on new readings at the end, once all is settled. */
export interface Again {
  settle(): Promise<void>
  /** What the run comes to, given what it came to on the first readings. */
  verdictsAfter(first: readonly Verdict[]): Promise<readonly Verdict[]>
}

/** What would be broken there is not told twice, and what could not be asked at first is not asked at the end. */
const isOpenToMore = ({ status, cause }: Verdict): boolean =>
  status === 'pass' || (status === 'inconclusive' && cause === undefined)

/**
 * Tries promises on new readings: what is read was seen to move, which excuses what the first readings say of each
 * other, and nothing that stands at the end.
 * @returns undefined where nothing was seen to move
 */
export async function tryAgain<T>(
  plan: Plan<T>,
  first: Parameters<Plan<T>['targetLater']>[0],
  cite: Cite,
): Promise<Again | undefined> {
  const checks = triedAgain(plan)
  if (checks.length === 0) return undefined
  // What ids stand for may have moved with the lists: it is told anew, too.
  const session = { ...plan.session, ...plan.session.anew() }
  const readings = createCachingReader(session.recall)
  const later = await plan.targetLater(first, session, readings)
  if (later === undefined) return undefined
  const runner = new Runner({ ...plan, checks, session }, later, readings, cite)
  const runs = checks.flatMap((check) => check.scopes.map((scope): CheckRun<T> => ({ check, scope })))
  await Promise.all(runs.map((one) => runner.run(one)))
  const verdictAfter = async (first: Verdict): Promise<Verdict> => {
    const one = runs.find(({ check, scope }) => check.id === first.check.id && scope === first.version)
    const last = one && isOpenToMore(first) ? await runner.verdictOf(one) : undefined
    return last?.status === 'fail' ? atTheEnd(last) : first
  }
  return {
    settle: () => runner.settle(),
    async verdictsAfter(first) {
      const told = first.filter(({ status, check }) => status === 'fail' && isAskedLast(plan, check.id))
      const isTold = ({ version }: Verdict) => told.some((one) => bearsOn(version, one.version))
      return Promise.all(first.map(async (one) => (isTold(one) ? one : verdictAfter(one))))
    },
  }
}

/** What goes wrong meanwhile is told by those that look for it. */
const isAskedLast = <T>({ checks }: Plan<T>, id: string): boolean =>
  checks.some((check) => check.id === id && check.when === 'last')

function atTheEnd({ finding, ...verdict }: Verdict): Verdict {
  if (!finding) return verdict
  const actual = `${finding.actual}; earlier in the run this was correct`
  return { ...verdict, reason: actual, finding: { ...finding, actual } }
}
