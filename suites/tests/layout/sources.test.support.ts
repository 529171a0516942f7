import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
})
export const trackedFiles = [...new Set(listed.toString().split('\0'))].filter(Boolean)
export const sourceFiles = trackedFiles.filter((file) =>
  /^(suites|fixtures|reports)\/.*\.ts$|^vitest\.config\.ts$/.test(file),
)

/** Reads a file. Returns an empty text if the file was just deleted, or is being written. */
export function readText(file: string): string {
  try {
    return readFileSync(join(repositoryRoot, file), 'utf8')
  } catch {
    return ''
  }
}

export interface ImportStatement {
  /** The imported path or package; undefined if it is computed. */
  readonly specifier: string | undefined
  readonly typeOnly: boolean
}

/** Finds all imports of a source. It also finds those in strings, because a missed import would be worse. */
export function findImports(source: string): ImportStatement[] {
  const string = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/
  const code = source.replace(new RegExp(`(${string.source})|//.*|/\\*[^]*?\\*/`, 'g'), '$1')
  const clause = /\b(?:import|export)\s*(type\b(?!\s+from\b))?[\w$\s{},*]*?\bfrom\s*['"]([^'"]+)['"]/g
  const bare = /\bimport\s*['"]([^'"]+)['"]/g
  const dynamic = /(?<![.\w])(?:import|require)\s*\(\s*(?:(['"`])([^'"`$]+)\1)?/g
  return [
    ...[...code.matchAll(clause)].map(([, type, specifier]) => ({ specifier, typeOnly: type !== undefined })),
    ...[...code.matchAll(bare)].map(([, specifier]) => ({ specifier, typeOnly: false })),
    ...[...code.matchAll(dynamic)].map(([, , specifier]) => ({ specifier, typeOnly: false })),
  ]
}

/** Returns the lines of a file, each with its file name and number, for failure messages. */
export function numberedLinesOf(file: string): string[] {
  return readText(file)
    .split('\n')
    .map((line, index) => `${file}:${index + 1}: ${line}`)
}

/** Returns the first circular import, as the list of files from one back to itself; empty if there is none. */
export function findCircularImport(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const from = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const target of imports.get(file) ?? []) {
      const circle = from(target, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of imports.keys()) {
    const circle = from(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

const targetsOf = (file: string): string[] =>
  findImports(readText(file)).flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? [normalize(join(dirname(file), specifier))] : [],
  )

/** The files that each source imports. */
export const importGraph = new Map(
  [...sourceFiles, ...trackedFiles.filter((file) => /^(suites|fixtures|reports)\/.*\.mjs$/.test(file))].map(
    (file) => [file, targetsOf(file)] as const,
  ),
)

/** Returns the files that match a pattern, and all files that they import, directly or indirectly. */
export function findReachableFiles(entryPatterns: readonly RegExp[]): ReadonlySet<string> {
  const reached = new Set([...importGraph.keys()].filter((file) => entryPatterns.some((pattern) => pattern.test(file))))
  // The loop also visits the files that it adds.
  for (const file of reached) for (const target of importGraph.get(file) ?? []) reached.add(target)
  return reached
}

/**
 * Returns for each folder the folders that it imports from. Leaves out the top folders of `reports` and `suites`,
 * because they contain index files of the folders below.
 */
export function groupImportsByFolder(
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>()
  const isCounted = (file: string): boolean => /^(suites|reports)\/.+\//.test(file) && !file.startsWith('suites/tests/')
  for (const [file, targets] of imports) {
    if (!isCounted(file)) continue
    const folder = dirname(file)
    const known = folders.get(folder) ?? new Set()
    folders.set(folder, known)
    for (const target of targets) if (isCounted(target) && dirname(target) !== folder) known.add(dirname(target))
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]))
}
