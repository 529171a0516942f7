import { formatAdvisedText } from '../../engine/inconclusive.ts'
import { formatCount } from '../shared/text.ts'
import type { ResponseWithoutData } from './interpret-response.ts'
import type { ListReading } from './list-reading.ts'

/** Describes a response as a noun phrase, e.g. `status 404`, or `status 200 with the JSON value null as its body`. */
export function describeResponseWithoutData(reading: ResponseWithoutData): string {
  switch (reading.kind) {
    case 'refused':
      return `status ${reading.status}`
    case 'nothing':
      return `status ${reading.status} with ${reading.shown === 'null' ? 'the JSON value null as its body' : reading.shown}`
    case 'failed':
      return reading.why
    case 'not-json':
      return `a body that cannot be read (${reading.why})`
  }
}

/** Describes an unexpected response as a sentence, e.g. `the list of all cats returned status 404`. */
export const describeUnexpectedResponse = (
  subject: string,
  { kind }: { readonly kind: string },
  why: string,
): string =>
  kind === 'failed' && !why.startsWith('status ') ? `${subject} failed: ${why}` : `${subject} returned ${why}`

/** Describes a reading that is not the expected list as a noun phrase, e.g. `JSON that contains no array: {}`. */
export function describeNonList(reading: ListReading): string {
  switch (reading.kind) {
    case 'list':
      return `a list of ${formatCount(reading.names.length, 'name')}`
    case 'not-a-list':
      return reading.namesElsewhere
        ? `JSON without an array at the place where other responses have the list: ${reading.shown}`
        : `JSON that contains no array: ${reading.shown}`
    case 'unreadable':
      return formatAdvisedText({ text: reading.why, advice: reading.advice })
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return describeResponseWithoutData(reading)
  }
}
