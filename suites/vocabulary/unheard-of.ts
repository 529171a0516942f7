const NONCE = Date.now().toString(36)

/** A string that nothing is called, and that no run, nor the other version in this one, asked for before. */
export const unheardOf = (round: number, version: string): string => `zq${NONCE}${version}n${round}`

export const isUnheardOf = (text: string): boolean => text.startsWith(`zq${NONCE}`)
