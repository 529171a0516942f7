/** A resource, and the different contents that were read from it. */
export interface ResourceContents {
  readonly name: string
  /**
   * The different contents, the earliest first. There are several if the resource changed, or if its responses depend
   * on more than the request.
   */
  readonly contents: readonly string[]
}

interface ResourceRecord {
  readonly contents: Set<string>
  latest: string
}

/** The contents of all readings of a run, whichever check made them. */
export class ReadingHistory<Group extends string> {
  private readonly recordsByGroup = new Map<Group, Map<string, ResourceRecord>>()

  /**
   * Adds a reading.
   * @param group the operation
   * @param name identifies the resource within the group, in whatever encoding it was requested
   * @param content the reading as a text that can be compared
   */
  add(group: Group, name: string, content: string): void {
    const records = this.recordsByGroup.get(group) ?? new Map<string, ResourceRecord>()
    this.recordsByGroup.set(group, records)
    const record = records.get(name) ?? { contents: new Set(), latest: content }
    records.set(name, record)
    record.contents.add(content)
    record.latest = content
  }

  /** Returns the content of the latest reading; undefined if the resource was never read. */
  latestContent(group: Group, name: string): string | undefined {
    return this.recordsByGroup.get(group)?.get(name)?.latest
  }

  resources(group: Group): readonly ResourceContents[] {
    return [...(this.recordsByGroup.get(group) ?? [])].map(([name, { contents }]) => ({
      name,
      contents: [...contents],
    }))
  }

  /** Returns the resources of an operation that were read with different contents. */
  variedResources(group: Group): readonly ResourceContents[] {
    return this.resources(group).filter(({ contents }) => contents.length > 1)
  }

  hasVaried(group: Group): boolean {
    return this.variedResources(group).length > 0
  }
}
