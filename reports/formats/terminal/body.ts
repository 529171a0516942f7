import { glyphs } from '../../report/glyphs.ts'
import { splitByTerms, type TextPiece } from '../../report/highlight.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { formatCount } from '../../text/wording.ts'
import { splitAtWidth } from './wrap.ts'

const MAX_LINES = 8

type Line = readonly TextPiece[]

/**
 * Renders the lines of a body, each divided into terms and the text between them. If there are too many lines, those
 * nearest to a term are shown.
 */
export function renderBodyLines(body: string, width: number, terms: readonly string[]): readonly Line[] {
  const lines = body.split(/\r?\n/).flatMap((line) => wrapAndSplitByTerms(escapeTerminal(line), width, terms))
  const kept = selectLinesNearTerms(lines)
  const shown: Line[] = []
  let omitted = 0
  const addRemark = () => {
    if (omitted > 0) shown.push([{ text: `${glyphs.ellipsis} ${formatCount(omitted, 'more line')}`, isTerm: false }])
    omitted = 0
  }
  for (const line of lines) {
    if (kept.has(line)) {
      addRemark()
      shown.push(line)
    } else omitted++
  }
  addRemark()
  return shown
}

function selectLinesNearTerms(lines: readonly Line[]): ReadonlySet<Line> {
  const withTerm = [...lines.keys()].filter((index) => lines[index]?.some(({ isTerm }) => isTerm))
  const byDistance = lines.map((line, index) => {
    const distance = Math.min(lines.length, ...withTerm.map((other) => Math.abs(other - index)))
    return { line, distance }
  })
  const nearestFirst = byDistance.toSorted((one, other) => one.distance - other.distance)
  return new Set(nearestFirst.slice(0, MAX_LINES).map(({ line }) => line))
}

/** Wraps a line at a width. A term may go on in the next line. */
function wrapAndSplitByTerms(text: string, width: number, terms: readonly string[]): readonly Line[] {
  const pieces = splitByTerms(text, terms)
  let end = 0
  return splitAtWidth(text, width).map((line) => {
    const begin = end
    end += line.length
    return slicePieces(pieces, begin, end)
  })
}

function slicePieces(pieces: readonly TextPiece[], begin: number, end: number): Line {
  let at = 0
  return pieces.flatMap(({ text, isTerm }) => {
    const part = text.slice(Math.max(0, begin - at), Math.max(0, end - at))
    at += text.length
    return part === '' ? [] : [{ text: part, isTerm }]
  })
}
