import { describe, expect, test } from 'vitest'
import { readText, sourceFiles } from './sources.test.support.ts'

/** The words that comments must not use, each with the term to use instead. */
const GLOSSARY: readonly (readonly [word: RegExp, use: string])[] = [
  [/\bpromis(e[sd]|ing)\b|\bpromise\b(?! to wait)/, 'requirement'],
  [/\b(told|heard)\b/, 'reported, received'],
  [/\baccus(e[sd]?|ation|ing)\b|\bconvict/, 'fails, candidate'],
  [/\bexcus(e[sd]?|ing)\b|\bleniency\b/, 'allowance'],
  [/\bbeliev/, 'confirmed'],
  [/\bspoil|\bliars?\b/, 'defect, mutant'],
  [/\bzoo\b/, 'test deployments'],
  [/\b(nobody|whoever)\b/, 'a noun'],
  [/\bby lot\b/, 'at random'],
  [/\bstands? still\b/, 'does not change'],
  [/\bto and fro\b|\bcame and went\b/, 'unstable'],
  [/\bglances?\b|\bsecond looks?\b/, 'recheck'],
  [/\bunheard\b/, 'control name'],
]
const BAD_START =
  /^(?:What|Who|Whoever|Whom|Whose|Of|Those|Such|So (?:many|much|often|few)|Where|As|How|One that|Which|That|Nobody)\b/

interface Comment {
  readonly place: string
  readonly text: string
}

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*(?=[\s.,;)\]]|$)/
const COMMENT = /\/\*\*?([^]*?)\*\/|((?:^[ \t]*\/\/.*\n)+|\/\/.*)/
const PARTS = new RegExp(`(?:${STRING.source}|${REGEX.source})|${COMMENT.source}`, 'gm')

/** Returns the comments of a source, each on one line. Text in backquotes is removed. */
export function findComments(file: string, source: string): Comment[] {
  return [...source.matchAll(PARTS)].flatMap(({ 1: block, 2: lines, index }) => {
    const raw = block ?? lines
    if (raw === undefined) return []
    const text = raw.replace(/^[ \t]*(?:\*|\/\/) ?/gm, '').replace(/`[^`]*`/g, '``')
    return [{ place: `${file}:${source.slice(0, index).split('\n').length}`, text: text.replace(/\s+/g, ' ').trim() }]
  })
}

const TITLE = /\b(?:describe|test|it)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g

const comments = sourceFiles.flatMap((file) => findComments(file, readText(file)))
const titles = sourceFiles
  .filter((file) => file.endsWith('.ts') && file.startsWith('suites/tests/'))
  .flatMap((file) => [...readText(file).matchAll(TITLE)].map(([, , text = '']) => ({ place: file, text })))

const show = ({ place, text }: Comment): string => `${place}: ${text.slice(0, 100)}`
const wordsIn = (texts: readonly Comment[]): string[] =>
  texts.flatMap((one) =>
    GLOSSARY.flatMap(([word, use]) => (word.test(one.text.toLowerCase()) ? [`${show(one)} (use: ${use})`] : [])),
  )

describe('the language of the sources', () => {
  test.each([
    ["const a = '// no comment' // What it is\n", ['What it is']],
    ['/**\n * Of `b`,\n * two lines\n */\nconst c = /\\/\\/x/', ['Of ``, two lines']],
    ['// one\n// comment\nx()', ['one comment']],
  ])('finds the comments of %j', (source, texts) => {
    expect(findComments('x.ts', source).map(({ text }) => text)).toEqual(texts)
  })

  test('begins comments with a verb or a noun', () => {
    expect(comments.filter(({ text }) => BAD_START.test(text)).map(show)).toEqual([])
  })

  test('begins titles of tests with a verb or a noun', () => {
    expect(titles.length).toBeGreaterThan(500)
    expect(titles.filter(({ text }) => new RegExp(BAD_START, 'i').test(text)).map(show)).toEqual([])
  })

  test('uses the terms of the glossary in comments', () => {
    expect(wordsIn(comments)).toEqual([])
  })

  test('uses the terms of the glossary in titles of tests', () => {
    expect(wordsIn(titles)).toEqual([])
  })

  test('declares a type name once', () => {
    const declared = sourceFiles
      .filter((file) => /^(suites|reports)\//.test(file) && !file.startsWith('suites/tests/'))
      .flatMap((file) =>
        [...readText(file).matchAll(/^(?:export )?(?:interface|type|(?:abstract )?class) (\w+)/gm)].map(
          ([, name = '']) => ({ name, file }),
        ),
      )
    const repeated = declared.filter(({ name, file }) => declared.some((one) => one.name === name && one.file !== file))
    expect(repeated.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
  })
})
