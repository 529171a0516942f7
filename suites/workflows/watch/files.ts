import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { errorCodeOf } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'

/** Folders whose changes are ignored, because they do not come from work on the service. */
const IGNORED_FOLDERS: readonly string[] = ['node_modules', '.git']

/**
 * Watches a file, or a folder with its subfolders.
 * @param except files and folders to ignore, e.g. the reports of this suite
 * @param onChange called with the path of each changed file
 * @throws {UsageError} if the path does not exist or cannot be watched
 */
export function watchFiles(
  path: string,
  except: readonly string[],
  onChange: (file: string) => void,
): Pick<FSWatcher, 'close'> {
  const whole = resolve(path)
  const ignored = except.map((one) => resolve(one))
  const isOurs = (file: string) => ignored.some((one) => file === one || file.startsWith(one + sep))
  try {
    const isFolder = statSync(whole).isDirectory()
    // Watches the folder of a single file: editors replace files, and a watch on the file itself would not notice that.
    const folder = isFolder ? whole : dirname(whole)
    const watcher = watch(folder, { recursive: isFolder }, (_, name) => {
      if (name === null || name.split(sep).some((part) => IGNORED_FOLDERS.includes(part))) return
      if (isOurs(join(folder, name)) || (!isFolder && name !== basename(whole))) return
      onChange(name)
    })
    watcher.on('error', () => {}) // Ignores errors about folders that are removed while they are watched.
    return watcher
  } catch (error) {
    throw new UsageError({
      where: '--watch',
      what: `${JSON.stringify(path)} cannot be watched (${errorCodeOf(error)}).`,
      expected: 'an existing file or folder',
      advice: 'name the folder with the sources of the service, or with its build',
    })
  }
}
