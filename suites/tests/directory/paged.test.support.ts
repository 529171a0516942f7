import { readPages } from '../../directory/pages/paged.ts'
import { type Others, Pager } from '../../directory/pages/pager.ts'
import { type ListReading, readList } from '../../directory/readings/list-reading.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { answered } from '../layout/tables.test.support.ts'

export type Fields = Readonly<Record<string, string>>

export interface Answered {
  readonly value: unknown
  readonly fields?: Fields
}

/** Reads the list of `/v2/search?q=a`, at `cats` in every page, from a service that answers as it is told. */
export async function read(answer: (target: string) => Answered, others?: Others): Promise<unknown> {
  try {
    const reading = await readingOf(answer, others)
    return reading.kind === 'list' ? reading.names.join(' ') : reading.kind
  } catch (error) {
    if (error instanceof Inconclusive) return error.kind
    throw error
  }
}

/** @throws {Inconclusive} */
export async function readingOf(answer: (target: string) => Answered, others?: Others): Promise<ListReading> {
  let asked = 0
  const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
    if (++asked > 700) throw new Error('it asks without end')
    const { value, fields } = answer(decodeURIComponent(target))
    return { ...answered(value, fields), url: `http://cats.test${target}` }
  }
  const shape = { list: ['cats'], name: [], breed: undefined }
  const readPage = (page: Exchange) => readList(page, 'cat', shape)
  const pager = new Pager(ask, [], others)
  const first = await ask({ target: '/v2/search?q=a' })
  return readPages(first, { kind: 'cat', ask, readPage, list: shape.list }, pager)
}

/** What is read where nothing leads on, though there is more; and where there is not. */
export const PART = 'unreadable'
export const PAGE = 'Tom Tim'

const spelled = (keys: string) => keys.trim().split(/\s+/)

/** Tom and Tim, and Kit to whoever sends one parameter; whoever sends none, or another, gets the first page again. */
export const led = ([said, parameter, fields]: readonly [
  said: object,
  parameter?: string | undefined,
  fields?: Fields,
]) =>
  read((target) =>
    parameter !== undefined && target.includes(parameter)
      ? { value: { cats: ['Kit'] } }
      : { value: { ...said, cats: ['Tom', 'Tim'] }, ...(fields && { fields }) },
  )

export const WHOLE = 'Tom Tim Kit'
/** A row for each of some keys. */
export const each = (
  keys: string,
  said: (key: string) => object,
  parameter: (key: string) => string | undefined,
  is = WHOLE,
) => spelled(keys).map((key) => [[said(key), parameter(key)], is] as const)
