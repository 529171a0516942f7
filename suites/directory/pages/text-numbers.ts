const MAX_TEXT_LENGTH = 200

/** Returns the whole numbers in a text, but not those that are parts of dates, versions or ids. */
export const findNumbersInText = (text: string): readonly number[] =>
  [...text.slice(0, MAX_TEXT_LENGTH).matchAll(/(?<![\w.:-])\d{1,9}(?![\w:-]|\.\d)/g)].map(([digits]) => Number(digits))

/** Replaces each number by 0, so that e.g. `1 of 5` and `2 of 5` become equal. */
export const textWithoutNumbers = (value: unknown): string => String(value).replace(/\d+/g, '0')
