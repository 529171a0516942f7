import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { findCauseByRandomTargets } from '../../../engine/side-effects/random-targets.ts'
import type { CheckProbe } from '../check.ts'
import { doListsChangeWhenRead, MAX_CATS_COMPARED } from './first-requests.ts'
import { createRawResource } from './likely-names.ts'
import { describeListSideEffect } from './side-effect-texts.ts'

/**
 * Tests early in the run whether searches remove the cats that they find: later, all cats may be gone.
 * Searches for cats drawn at random.
 */
export const probeWhetherSearchesRemoveCats: CheckProbe = async (context) => {
  const { target, read, createFreshReader, seed, verifySideEffect, isSettled } = context
  const { directory, effort } = target
  if (isSettled() || (await doListsChangeWhenRead(context))) return
  const names = await readNamesForPaths(directory.cats, read)
  const allNames = namesOfReading(await read(directory.cats))
  if (effort.namesRequestedFirst === 0 || allNames.length > MAX_CATS_COMPARED) return
  let listed: ReadonlySet<string> = new Set(allNames)
  let shown: readonly Exchange[] = []
  const cause = await findCauseByRandomTargets(
    {
      names,
      firstCount: effort.namesRequestedFirst,
      request: async (requested) => {
        for (const name of requested) shown = [await read(createRawResource(directory.search(name)))]
      },
      readLosses: async (requested) => {
        const reader = createFreshReader()
        const currentNames = new Set(namesOfReading(await reader.read(directory.cats)))
        const lost = [...listed].filter((cat) => !currentNames.has(cat))
        listed = currentNames
        shown = [...shown, ...reader.exchangesFor(directory.cats)]
        return {
          names: requested.filter((name) => lost.includes(name)),
          others: lost.some((cat) => !requested.includes(cat)),
        }
      },
    },
    seed,
  )
  if (cause === 'nothing' || cause === 'time') return
  await verifySideEffect({
    experiments: [async () => cause],
    ...describeListSideEffect('searchCats', directory),
    observedChange: 'the list of all cats changed during the run',
    demonstrate: async () => shown,
  })
}
