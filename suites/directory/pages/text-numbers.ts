/** Longer texts are cut: they are unlikely to describe pages. */
const MAX_TEXT_LENGTH = 200

/** Returns the whole numbers in a text, but not those that are parts of dates, versions or ids. */
export const findNumbersInText = (text: string): readonly number[] =>
  [...text.slice(0, MAX_TEXT_LENGTH).matchAll(/(?<![\w.:-])\d{1,9}(?![\w:-]|\.\d)/g)].map(([digits]) => Number(digits))

/** Replaces each number by 0, so that e.g. `1 of 5` and `2 of 5` become equal. */
export const replaceNumbers = (value: unknown): string => String(value).replace(/\d+/g, '0')

/** Matches a text with three numbers, the last of which is a total, e.g. `0-4/5` or `1 to 5 of 5`. */
const RANGE_WITH_TOTAL = /^\D{0,40}\d{1,9}\D{1,9}\d{1,9}\D{1,9}(\d{1,9})\D{0,40}$/

/** Returns the last of three numbers in a text, e.g. 5 for `1 to 5 of 5`; NaN for any other text. */
export const findTotalOfRange = (text: string): number => Number(RANGE_WITH_TOTAL.exec(text)?.[1])
