/** A resource and the different contents that its readings had. */
export interface ResourceContents {
  /** Identifies the resource within its group. */
  readonly name: string
  /**
   * The contents, in the order in which they were first read. There are several if the resource changed, or depends on
   * more than its request.
   */
  readonly contents: readonly string[]
}

interface ResourceRecord {
  readonly contents: Set<string>
  latest: string
}

/** The contents of all readings of a run, whichever check took them. */
export class ReadingHistory<Group extends string> {
  private readonly recordsByGroup = new Map<Group, Map<string, ResourceRecord>>()

  /**
   * Adds a reading.
   * @param group the operation
   * @param name identifies the resource within the group, whatever the encoding of its request
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

  /** The content of the latest reading; undefined if there was none. */
  latestContent(group: Group, name: string): string | undefined {
    return this.recordsByGroup.get(group)?.get(name)?.latest
  }

  /** All resources of a group, in the order in which they were first read. */
  resources(group: Group): readonly ResourceContents[] {
    return [...(this.recordsByGroup.get(group) ?? [])].map(([name, { contents }]) => ({
      name,
      contents: [...contents],
    }))
  }

  /** The resources of a group whose readings differ, in the order in which they were first read. */
  variedResources(group: Group): readonly ResourceContents[] {
    return this.resources(group).filter(({ contents }) => contents.length > 1)
  }

  /** Returns whether any resource of the group was read with different contents. */
  hasVaried(group: Group): boolean {
    return this.variedResources(group).length > 0
  }
}
