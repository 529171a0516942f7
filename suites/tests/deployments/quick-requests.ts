/**
 * The maximum number of requests of a run with `--effort quick` against a deployment with a defect, with several pages
 * or with redirects. All of these add requests. A possible violation adds most: its requests are sent again, and at the
 * end of the run, the lists of up to 40 breeds are read again to see whether the directory changed.
 */
export const MAX_REQUESTS_OF_OTHERS = 250

interface RequestLimit {
  readonly reason: string
  /** The maximum number of requests of each of these deployments. */
  readonly most: number
  readonly ids: readonly string[]
}

/** The deployments that take more requests, by the reason. The table should get shorter. */
export const deploymentsWithMoreRequests: readonly RequestLimit[] = [
  {
    reason: 'pages of a list are missing: the whole list is read again to confirm that',
    most: 450,
    ids: [
      ...['breeds-next-link-leads-back', 'cats-last-link-lost', 'search-first-ten', 'breed-next-link-leads-to-cats'],
      ...['cats-next-link-without-base-path', 'cats-last-token-lost', 'cats-last-page-lost', 'search-next-without-q'],
      ...['breed-cats-first-ten-beside-ids', 'cats-next-link-refused', 'cats-one-lost-beside-duration'],
      ...['cats-one-lost-beside-limit', 'cats-one-lost-beside-rate-limit', 'cats-next-link-to-html'],
      ...['cats-first-ten-beside-the-usual', 'cats-first-ten-beside-totals'],
    ],
  },
  {
    reason: 'all names of the list of cats are altered: many lists and searches differ from it, and are read again',
    most: 400,
    ids: [
      ...['cats-ascii', 'cats-lowered', 'cats-shouted', 'cats-shouted-under-any-key', 'cats-escaped'],
      'cats-lowered-both',
    ],
  },
  {
    reason: 'every page has three names, so that each list has up to seventeen pages',
    most: 500,
    ids: ['pages-other-next'],
  },
  {
    reason: 'a directory has 400 breeds: the requirement that each list is served applies to all of them',
    most: 1300,
    ids: ['breed-cats-object-of-many', 'breed-cats-404-of-many'],
  },
  {
    reason: 'a search tells nothing about names, so that more responses are compared to find out where the names are',
    most: 450,
    ids: ['search-like-both', 'search-contrary', 'search-ignores-q-both', 'shape-never-told'],
  },
  {
    reason: 'each request of an operation is dropped, and sent again after a health check',
    most: 450,
    ids: ['search-reset'],
  },
  {
    reason: 'responses differ now and then: experiments test whether they depend on other requests',
    most: 600,
    ids: ['breed-missing-in-any-case', 'search-nothing-at-first'],
  },
  {
    reason: 'requests change lists or lives: experiments compare intervals with and without these requests',
    most: 600,
    ids: [
      ...['unknown-breed-costs-a-life', 'search-costs-first-two-a-life', 'lives-404-for-one-and-cost-one'],
      ...['breeds-read-founds-one', 'breeds-read-founds-one-v3', 'lives-cost-all', 'breeds-read-closes-one'],
      ...['breed-read-costs-a-life', 'breeds-read-costs-a-life', 'search-gives-a-life', 'breed-read-adds-one'],
      ...['lives-gain-one', 'vain-search-costs-a-life', 'unknown-cat-costs-first-two-a-life', 'cats-read-drops-one'],
      ...['unknown-cat-costs-a-life', 'breed-read-takes-its-last', 'cats-read-drops-first', 'cats-read-adds-one'],
      ...['lives-cost-some', 'search-takes-the-last', 'search-deletes', 'breed-read-drops-one'],
    ],
  },
  {
    reason:
      'lists or lives differ in each reading: only experiments with many intervals show that requests change them',
    most: 4000,
    ids: [
      ...['search-third-adds-one', 'breed-unknown-is-founded', 'search-third-costs-a-life', 'search-moves-to-breed'],
      ...['search-pages-of-other-orders', 'breed-read-moves-one', 'search-moves', 'search-adds-query'],
      ...['search-adds-query-v3', 'lives-found-a-cat', 'search-costs-a-life', 'lives-cost-one-in-v2'],
      'cats-read-moves-one',
    ],
  },
]

const maxRequestsById = new Map(deploymentsWithMoreRequests.flatMap(({ most, ids }) => ids.map((id) => [id, most])))

/**
 * Returns a line for each deployment that took too many requests.
 * @param requestsById the number of requests of each judged deployment
 */
export const describeTooManyRequests = (requestsById: ReadonlyMap<string, number>): readonly string[] =>
  [...requestsById].flatMap(([id, requests]) => {
    const most = maxRequestsById.get(id) ?? MAX_REQUESTS_OF_OTHERS
    return requests > most ? [`${id}: ${requests} requests, at most ${most}`] : []
  })
