/** A resource, and the different contents that were read from it. */
export interface ResourceContents {
  readonly name: string
  /**
   * The different contents of one URL of the resource, the earliest first. There are several if the resource changed,
   * or if its responses depend on more than the request.
   */
  readonly contents: readonly string[]
  /** The contents of the same URL in the order of the readings. Equal contents in a row occur once. */
  readonly contentsInOrder: readonly string[]
}

interface ResourceRecord {
  /**
   * The contents by the URL that was requested. A service that reads two encodings of a name differently always gives
   * the same response for each of them: that is a defect, but no change.
   */
  readonly contentsByUrl: Map<string, string[]>
  /** The content of the latest reading. */
  latest: string
}

/** The contents of all readings of a run, whichever check made them. */
export class ReadingHistory<Group extends string> {
  private readonly recordsByGroup = new Map<Group, Map<string, ResourceRecord>>()

  /**
   * Adds a reading.
   * @param group the operation
   * @param resource its `name` identifies it within the group, and does not depend on the encoding in the `url`
   * @param content the reading as a text, so that readings can be compared
   */
  add(group: Group, { name, url }: { readonly name: string; readonly url: string }, content: string): void {
    const records = this.recordsByGroup.get(group) ?? new Map<string, ResourceRecord>()
    this.recordsByGroup.set(group, records)
    const record = records.get(name) ?? { contentsByUrl: new Map(), latest: content }
    records.set(name, record)
    const contents = record.contentsByUrl.get(url) ?? []
    record.contentsByUrl.set(url, contents)
    if (contents.at(-1) !== content) contents.push(content)
    record.latest = content
  }

  /** Returns the content of the latest reading; undefined if the resource was never read. */
  latestContent(group: Group, name: string): string | undefined {
    return this.recordsByGroup.get(group)?.get(name)?.latest
  }

  /** Returns the resources of an operation, each with the contents of the URL whose contents differ most. */
  resources(group: Group): readonly ResourceContents[] {
    return [...(this.recordsByGroup.get(group) ?? [])].map(([name, { contentsByUrl }]) => {
      const all = [...contentsByUrl.values()].map((inOrder) => ({
        contents: [...new Set(inOrder)],
        contentsInOrder: inOrder,
      }))
      const [mostVaried = { contents: [], contentsInOrder: [] }] = all.sort(
        (a, b) => b.contents.length - a.contents.length,
      )
      return { name, ...mostVaried }
    })
  }

  /** Returns the resources of an operation that were read with different contents. */
  variedResources(group: Group): readonly ResourceContents[] {
    return this.resources(group).filter(({ contents }) => contents.length > 1)
  }

  hasVaried(group: Group): boolean {
    return this.variedResources(group).length > 0
  }
}
