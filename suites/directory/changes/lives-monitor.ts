import { createFreshReader } from '../../engine/check/readers.ts'
import type { Directory } from '../facts/directory.ts'
import { pairNamesWithEncodings, selectNamesForInputs, selectNamesForPaths } from '../inputs/listed-names.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import { namesOfReading } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { encodeSegment } from '../shared/encodings.ts'
import { livesCountOf } from './directory-state.ts'
import type { DriftDetectorOptions } from './drift-detector.ts'

export interface ChangeMonitorOptions extends Omit<DriftDetectorOptions, 'effort'> {
  readonly effort: Pick<
    Effort,
    'catsWatchedEarly' | 'catsWatchedLate' | 'encodedCatsWatched' | 'breedsWatched' | 'rereadingsLate' | 'experiments'
  >
}

/** The maximum number of cats whose lives are read to find a cat with lives left. */
const MAX_CATS_READ = 8
/** The maximum number of cats for which several percent-encodings of the name are compared. */
const MAX_NAMES_MATCHED = 2000

/** Two readings of the lives of one cat. */
export interface LivesReadingPair {
  readonly cat: string
  readonly before: LivesReading
  readonly after: LivesReading
  /**
   * True if the two readings used different percent-encodings of the name. Then only two counts are compared, not a
   * refusal.
   */
  readonly hasOtherEncoding?: true
}

/** Reads the lives of cats several times during a run. */
export class LivesMonitor {
  private readonly options: ChangeMonitorOptions
  private readonly livesDirectory: Directory

  constructor(options: ChangeMonitorOptions, livesDirectory: Directory) {
    this.options = options
    this.livesDirectory = livesDirectory
  }

  /** Returns the names of the first cats, whose lives are watched early in the run. */
  async readFirstCats(): Promise<readonly string[]> {
    return (await this.cats()).slice(0, this.options.effort.catsWatchedEarly)
  }

  async readInitialLives(cats: readonly string[]): Promise<void> {
    await Promise.all(cats.map((cat) => this.options.readings.read(this.livesDirectory.lives(cat))))
  }

  async rereadCats(cats: readonly string[]): Promise<readonly LivesReadingPair[]> {
    return Promise.all(cats.map((cat) => this.rereadCat(cat)))
  }

  /** Reads the lives of one cat, which has lives left, several times in a row. */
  async rereadOneCatRepeatedly(times: number): Promise<readonly LivesReadingPair[]> {
    for (const cat of (await this.cats()).slice(0, MAX_CATS_READ)) {
      const lives = livesCountOf(await this.options.readings.read(this.livesDirectory.lives(cat))) ?? 0
      if (lives > 0) return this.rereadCats(Array.from({ length: times }, () => cat))
    }
    return []
  }

  /**
   * Compares the lives that several percent-encodings of a name returned, and reads the lives of some further cats
   * again.
   */
  async rereadOtherCats(): Promise<readonly LivesReadingPair[]> {
    const { catsWatchedLate, catsWatchedEarly, encodedCatsWatched } = this.options.effort
    const cats = selectNamesForInputs(await this.cats())
    const pairs = await this.compareEncodings(cats)
    const encoded = new Set(pairs.map(({ cat }) => cat))
    const others = cats.slice(catsWatchedEarly).filter((cat) => !encoded.has(cat))
    const most = Math.max(0, catsWatchedLate - encoded.size)
    const step = Math.max(1, Math.ceil(others.length / Math.max(1, most)))
    const some = others.filter((_, nth) => nth % step === 0).slice(0, most)
    return [...pairs, ...(await this.rereadCats([...[...encoded].slice(0, encodedCatsWatched), ...some]))]
  }

  private async compareEncodings(cats: readonly string[]): Promise<readonly LivesReadingPair[]> {
    const { readings } = this.options
    const known = new Set(readings.resourcesRead().map(({ key }) => key))
    const names = pairNamesWithEncodings(cats.slice(0, MAX_NAMES_MATCHED), encodeSegment)
    const pairs = names.map(async ({ name, encoding }): Promise<readonly LivesReadingPair[]> => {
      const [plain, encoded] = [this.livesDirectory.lives(name), this.livesDirectory.lives(name, encoding)]
      if (!known.has(plain.key) || !known.has(encoded.key)) return []
      const [before, after] = await Promise.all([readings.read(plain), readings.read(encoded)])
      return [{ cat: name, before, after, hasOtherEncoding: true }]
    })
    return (await Promise.all(pairs)).flat()
  }

  private async rereadCat(cat: string): Promise<LivesReadingPair> {
    const lives = this.livesDirectory.lives(cat)
    const before = await this.options.readings.read(lives)
    return { cat, before, after: await createFreshReader(this.options.send).read(lives) }
  }

  private async cats(): Promise<readonly string[]> {
    return selectNamesForPaths(namesOfReading(await this.options.readings.read(this.livesDirectory.cats)))
  }
}
