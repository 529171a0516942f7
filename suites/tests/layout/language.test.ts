import { describe, expect, test } from 'vitest'
import { numberedLinesOf, readText, trackedFiles } from './sources.test.support.ts'

const files = trackedFiles.filter((file) => /^(\.ci|suites|fixtures|reports)\/.*\.(ts|mjs)$/.test(file))

/** The words that comments, titles, messages and names must not use, each with the term to use instead. */
const GLOSSARY: readonly (readonly [word: RegExp, use: string])[] = [
  [/\bpromis(ed|ing)\b|\bpromise\b(?! to wait|\.)|(?<!for |\/)\bpromises\b/, 'requirement'],
  [/\b(told|heard)\b/, 'reported, received'],
  [/\baccus(e[sd]?|ation|ing)\b|\bconvict/, 'fails, candidate'],
  [/\b(offen[cd]|guilt|innocen|alibi|testimon|suspicio)|\bculprits?\b|\bwitness(es)?\b/, 'candidate, cause, evidence'],
  [/\bblam(e[sd]?|ing)\b/, 'names'],
  [/\bexcus(e[sd]?|ing)\b|\bleniency\b|\bforg(ives?|ave|iven|iving)\b/, 'allowance'],
  [/\bbeliev/, 'confirmed'],
  [/\bspoil|\bliars?\b/, 'defect, mutant'],
  [/\bzoo\b(?!\/)/, 'test deployments'],
  [/\b(nobody|whoever)\b/, 'a noun'],
  [/\bby lot\b/, 'at random'],
  [/\bstands? still\b/, 'does not change'],
  [/\bto and fro\b|\bcame and went\b/, 'unstable'],
  [/\bglances?\b|\bsecond looks?\b/, 'recheck'],
  [/\bunheard\b/, 'control name'],
]
/** Words that names must not use. In a sentence they may be right. */
const WORDS_NOT_IN_NAMES: readonly (readonly [word: RegExp, use: string])[] = [
  [/\b(said|sights)\b/, 'the response or reading'],
  [/\bsuspects?\b/, 'candidate'],
  [/\b(doors?|rooms?|houses?)\b/, 'entry point, folder, layer'],
  [/\b(lots|allotments?)\b/, 'sample, drawn'],
  [/\b(mend(s|ed)?)\b/, 'fix'],
  [/\banswers?\b/, 'response'],
  [/\bbroken\b(?! links?)/, 'violated, failed'],
  [/\b(scenes?|actors?|attendance|trails?|looks|leniency|sins?|provok\w*)\b/, 'a term of the field'],
  [/\b(?<!reduced )motion\b|\basking\b/, 'drift, change, request'],
  [/^of |^(its|theirs|mine|anew|elsewhere|otherwise|meanwhile|twice|alike)$/, 'a noun, e.g. testsOfScope'],
]
/** Words that comments and titles must not use. In messages they may be right. */
const WORDS_NOT_IN_COMMENTS: readonly (readonly [word: RegExp, use: string])[] = [
  [/\b(?:an?|the|its|no|each|every|several|other|first|same|of|correct|wrong) answers?\b/, 'response'],
]
/** Words that the descriptions in JSON schemas, scripts and files of CI must not use. */
const WORDS_NOT_IN_DESCRIPTIONS: readonly (readonly [word: RegExp, use: string])[] = [
  [/\bmend(s|ed)?\b/, 'correct, fix'],
  [/\b(whatever|beside)\b|\bbrings? along\b|\ball the same\b/, 'a noun, next to, bundled'],
  [/\bstands?\b/, 'is'],
  [/\banswers?\b/, 'response'],
]
/** Names that cannot be changed because users depend on them: keys of `report.json`, exports of the library, and globals of JavaScript. */
const PUBLIC_NAMES = ['Promise', 'promised', 'OwnPromise', 'motion']
/** Matches the files with the public names `broken`: an export of the library, and the id of a null server. */
const FILES_WITH_PUBLIC_NAMES =
  /^suites\/(index\.ts|tests\/.*\/(dismissal-by-change|own-checks|null-servers)\.test\.ts)$/
/** Values of open points, and ids of test deployments and of example checks. */
const PUBLIC_TEXTS = /cannot be told|q=nobody|shape-never-told|^\S*$/

const BAD_START =
  /^(?:What|Who|Whoever|Whom|Whose|Of|Those|Such|So (?:many|much|often|few)|Where|As|How|One that|Which|That|Nobody)\b/
const BAD_TITLE_START =
  /^(?:what|who|whoever|whom|whose|of|those|such|so (?:many|much|often|few)|where|as|how|one that|which|that|nobody|when|if|while|although|because|unless|despite|with|without|during|including|by|for|from|in|into|on|at|after|before|under|through|to|not|and|or|only|also|is|are|was|were|has|have|does|do|can|cannot|may|must|never|it|its|they|their)\b/i

interface SourceText {
  readonly place: string
  readonly text: string
}

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*(?=[\s.,;)\]]|$)/
const COMMENT = /\/\*\*?([^]*?)\*\/|((?:^[ \t]*\/\/.*\n)+|\/\/.*)/
const PARTS = new RegExp(`(?:(${STRING.source})|${REGEX.source})|${COMMENT.source}`, 'gm')

interface Source {
  /** The comments, each on one line. Text in backquotes is removed. */
  readonly comments: readonly SourceText[]
  readonly strings: readonly SourceText[]
  /** The names in the code, each once, with the words of which it consists. */
  readonly names: ReadonlyMap<string, string>
}

const splitName = (name: string): string => name.replace(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase()

/** Splits a source into its comments, strings and names. */
function parseSource(file: string, source: string): Source {
  const comments: SourceText[] = []
  const strings: SourceText[] = []
  const code = source.replace(PARTS, (part, string?: string, block?: string, lines?: string, index = 0) => {
    const place = `${file}:${source.slice(0, index).split('\n').length}`
    const raw = block ?? lines
    if (string !== undefined) strings.push({ place, text: string.slice(1, -1) })
    else if (raw !== undefined) {
      const text = raw.replace(/^[ \t]*(?:\*|\/\/) ?/gm, '').replace(/`[^`]*`/g, '``')
      comments.push({ place, text: text.replace(/\s+/g, ' ').trim() })
    }
    return part.startsWith('`') ? [...part.matchAll(/\$\{(\w+)/g)].map(([, name]) => name).join(' ') : ' '
  })
  const names = new Map([...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => [name, splitName(name)]))
  return { comments, strings, names }
}

const TITLE =
  /\b(?:describe|test|it)(?:\.\w+)*(?:<[^(]*>)?(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g
/** Matches a table of tests: its rows, and the title of the tests. */
const TABLE = /\.each(?:<.*>)?\(\[\n((?:(?!\.each).*\n)*?) *\](?: as const)?\)\((['"`])((?:\\.|(?!\2).)+)\2/g
const ROW_TITLE = /^ *\[\s*(['"`])((?:\\.|(?!\1).)+)\1/gm

/** Returns the titles of tests. A title that begins with a row of its table counts once for each row. */
function findTitles(source: string): string[] {
  const titles = [...source.matchAll(TITLE)].map(([, , title = '']) => title)
  const titlesOfRows = [...source.matchAll(TABLE)].flatMap(([, rows = '', , title = '']) =>
    title.startsWith('%s') ? [...rows.matchAll(ROW_TITLE)].map(([, , row = '']) => title.replace('%s', row)) : [title],
  )
  return [...titles.filter((title) => !title.startsWith('%s')), ...titlesOfRows]
}
const DECLARED_TYPE =
  /^ *(?:export )?(?:interface|type|enum|(?:abstract )?class) (\w+)(?= *[<={]| (?:extends|implements) )/gm

const sources = files.map((file) => ({ file, ...parseSource(file, readText(file)) }))
const comments = sources.flatMap((source) => source.comments)
const isTest = (file: string): boolean => file.startsWith('suites/tests/')
const titles = files.filter(isTest).flatMap((file) => findTitles(readText(file)).map((text) => ({ place: file, text })))
const messages = sources
  .filter(({ file }) => !isTest(file))
  .flatMap((source) => source.strings)
  .filter((one) => !PUBLIC_TEXTS.test(one.text))
const pages = trackedFiles
  .filter((file) => file.endsWith('.md') && !/CHECKS|CLAUSES/.test(file))
  .flatMap((file) => numberedLinesOf(file).map((line) => ({ place: file, text: line.slice(file.length + 1) })))
  .filter((one) => !PUBLIC_TEXTS.test(one.text))
/** The descriptions in JSON schemas, which editors and error messages show, and those in the files of CI. */
const descriptions = trackedFiles
  .filter((file) => /\.(json|yml)$/.test(file))
  .flatMap((file) =>
    [...readText(file).matchAll(/\bdescription"?: "?(?:Allowed: )?((?:\\.|[^"\\\n])+)/g)].map(([, text = '']) => ({
      place: file,
      text,
    })),
  )
  .filter((one) => !PUBLIC_TEXTS.test(one.text))
const scripts = trackedFiles
  .filter((file) => /\.(sh|yml)$|^\.ci\/[A-Za-z]+$/.test(file))
  .flatMap((file) =>
    readText(file)
      .split('\n')
      .map((text) => ({ place: file, text: text.replace(/^\s*#(?!!)\s*/, '# ') })),
  )
const scriptComments = scripts
  .filter(({ text }, index) => text.startsWith('# ') && !scripts[index - 1]?.text.startsWith('# '))
  .map(({ place, text }) => ({ place, text: text.slice(2) }))
const names = sources.flatMap(({ file, names: own }) =>
  [...own]
    .filter(([name]) => !PUBLIC_NAMES.includes(name) && !(name === 'broken' && FILES_WITH_PUBLIC_NAMES.test(file)))
    .map(([name, words]) => ({ place: `${file}: ${name}`, text: words })),
)

const show = ({ place, text }: SourceText): string => `${place}: ${text.slice(0, 100)}`
const findWords = (texts: readonly SourceText[], banned = GLOSSARY): string[] =>
  texts.flatMap((one) =>
    banned.flatMap(([word, use]) => (word.test(one.text.toLowerCase()) ? [`${show(one)} (use: ${use})`] : [])),
  )

/** Returns the types that several of the sources declare, with their files. A local `Options` may occur repeatedly. */
function findRepeatedTypes(declaring: readonly (readonly [file: string, source: string])[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const [file, source] of declaring)
    for (const [, name = ''] of source.matchAll(DECLARED_TYPE))
      places.set(name, (places.get(name) ?? new Set()).add(file))
  return [...places]
    .filter(([name, { size }]) => size > 1 && name !== 'Options')
    .map(([name, declared]) => `the type ${name} is declared in ${[...declared].join(' and ')}`)
}

describe('the language of the sources', () => {
  test.each([
    ["const a = '// no comment' // What it is\n", ['What it is']],
    ['/**\n * Of `b`,\n * two lines\n */\nconst c = /\\/\\/x/', ['Of ``, two lines']],
    ['// one\n// comment\nx()', ['one comment']],
  ])('the comments of %j are found', (source, texts) => {
    expect(parseSource('x.ts', source).comments.map(({ text }) => text)).toEqual(texts)
  })

  test('the words of names are found, also of names that are not exported', () => {
    const { names: found } = parseSource('x.ts', "function isTold(SAID_ONCE: 'heard') {} // excused\n`${blamedFor}`")
    expect([...found.values()]).toEqual(['function', 'is told', 'said once', 'blamed for'])
  })

  test('a type that two files declare is found, exported or not', () => {
    const declaring = [
      ['a.ts', 'type A = 1\nexport interface B {}'],
      ['b.ts', '  class A {}\nimport { type B } from "x"'],
    ] as const
    expect(findRepeatedTypes(declaring)).toEqual(['the type A is declared in a.ts and b.ts'])
  })

  test('titles in the rows of a table are found', () => {
    const source =
      "describe('a list', () => {\n  test.each([\n    ['is read', 1],\n    [\n      'is kept'],\n  ])('%s twice', () => {})\n"
    expect(findTitles(source)).toEqual(['a list', 'is read twice', 'is kept twice'])
  })

  test('comments begin with a verb or a noun', () => {
    expect([...comments, ...scriptComments].filter(({ text }) => BAD_START.test(text)).map(show)).toEqual([])
  })

  test('descriptions in JSON schemas and in files of CI begin with a noun', () => {
    expect(descriptions.length).toBeGreaterThan(200)
    expect(descriptions.filter(({ text }) => BAD_START.test(text)).map(show)).toEqual([])
  })

  test('titles of tests begin with a noun or a full verb, and with no pronoun', () => {
    expect(titles.length).toBeGreaterThan(900)
    expect(titles.filter(({ text }) => BAD_TITLE_START.test(text)).map(show)).toEqual([])
  })

  test.each([
    ['comments', comments, [...GLOSSARY, ...WORDS_NOT_IN_COMMENTS]],
    ['titles of tests', titles, [...GLOSSARY, ...WORDS_NOT_IN_COMMENTS]],
    ['messages', messages, GLOSSARY],
    ['pages', pages, GLOSSARY],
    ['descriptions, scripts', [...descriptions, ...scripts], [...GLOSSARY, ...WORDS_NOT_IN_DESCRIPTIONS]],
    ['names', names, [...GLOSSARY, ...WORDS_NOT_IN_NAMES]],
  ])('%s use the terms of the glossary', (_, texts, banned) => {
    expect(texts.length).toBeGreaterThan(500)
    expect(findWords(texts, banned)).toEqual([])
  })

  test('type names are unique', () => {
    expect(findRepeatedTypes(files.map((file) => [file, readText(file)] as const))).toEqual([])
  })
})
