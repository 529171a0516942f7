/** Whether a check is meant by an id or the beginning of one. */
export const isSelected =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))
