/** A subject that was read with different contents: it changed, or its response depends on more than its request. */
export interface VariedSubject {
  /** Identifies the subject within its group. */
  readonly name: string
  /** In the order in which they were first read. */
  readonly contents: readonly string[]
}

/** The contents of all readings of a run, whichever check took them. */
export class ReadingHistory<Group extends string> {
  private readonly contentsByGroup = new Map<Group, Map<string, Set<string>>>()
  private readonly latestContents = new Map<string, string>()

  /**
   * Adds a reading.
   * @param group the operation
   * @param name identifies the subject within the group, whatever the encoding of its request
   * @param content the reading as a text that can be compared
   */
  add(group: Group, name: string, content: string): void {
    const byName = this.contentsByGroup.get(group) ?? new Map<string, Set<string>>()
    this.contentsByGroup.set(group, byName)
    byName.set(name, (byName.get(name) ?? new Set()).add(content))
    this.latestContents.set(`${group} ${name}`, content)
  }

  /** The content of the latest reading; undefined if there was none. */
  latestContent(group: Group, name: string): string | undefined {
    return this.latestContents.get(`${group} ${name}`)
  }

  /** Returns whether any subject of the group was read with different contents. */
  hasVaried(group: Group): boolean {
    return this.variedSubjects(group).length > 0
  }

  /** The subjects of a group whose readings differ, in the order in which they were first read. */
  variedSubjects(group: Group): readonly VariedSubject[] {
    return [...(this.contentsByGroup.get(group) ?? [])]
      .filter(([, contents]) => contents.size > 1)
      .map(([name, contents]) => ({ name, contents: [...contents] }))
  }
}
