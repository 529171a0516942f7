import { basename, join, resolve } from 'node:path'
import { formats } from '../../../reports/formats.ts'
import { holdsSomething, preparePlace } from '../../options/files/files.ts'
import { type Options, shownArgument, UsageError } from '../../options/options.ts'
import { beginningOf, ForeignFileError } from './earlier-reports.ts'

type OutputOptions = Pick<Options, 'events' | 'pinFile' | 'writeKnownFile'>

/** A file that a run writes beside its reports. */
interface Output {
  /** `--pin`. */
  readonly flag: string
  readonly path: string
}

/** Patterns that identify files of earlier runs by their start. */
const signs: Readonly<Record<string, RegExp>> = {
  '--events': /^\{"event":"start",/,
  '--pin': /"profileVersion":\s*\d/,
  '--write-known': /"knownVersion":\s*\d/,
}

function outputsOf({ events, pinFile, writeKnownFile }: OutputOptions): readonly Output[] {
  const given = { '--events': events, '--pin': pinFile, '--write-known': writeKnownFile }
  return Object.entries(given).flatMap(([flag, path]) => (path === undefined ? [] : [{ flag, path }]))
}

/**
 * Checks before any request that all outputs can be written.
 * @throws {UsageError} if one is in the way of another or of a foreign file, or cannot be written
 */
export async function prepareOutputs(options: OutputOptions, directory: string): Promise<void> {
  const outputs = outputsOf(options)
  refuseOnePlaceForTwo(outputs, directory)
  for (const output of outputs) await refuseForeign(output)
  for (const { flag, path } of outputs) if (flag !== '--events') await preparePlace(path, flag)
}

function refuseOnePlaceForTwo(outputs: readonly Output[], directory: string): void {
  const reports = ['', 'comparison.json', ...Object.keys(formats)].map((name) => join(directory, name))
  const all = [...outputs, ...reports.map((path) => ({ flag: '--report-dir', path }))]
  for (const [index, { flag, path }] of outputs.entries()) {
    const other = all.slice(index + 1).find((one) => resolve(one.path) === resolve(path))
    if (other)
      throw new UsageError({
        where: `${flag}, ${other.flag}`,
        what: `both are written to ${shownArgument(path)}.`,
        expected: 'a place of its own for each',
        advice: `give another one with ${flag} FILE`,
      })
  }
}

async function refuseForeign({ flag, path }: Output): Promise<void> {
  if (!(await holdsSomething(path))) return
  const beginning = await beginningOf(path).catch(() => undefined)
  if (beginning !== undefined && signs[flag]?.test(beginning)) return
  throw new UsageError({
    where: flag,
    what: new ForeignFileError(basename(path)).message,
    expected: `a new file, or one that ${flag} wrote`,
    advice: `give another one with ${flag} FILE`,
  })
}
