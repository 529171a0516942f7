/**
 * The maximum number of requests of a run with `--effort quick` against a deployment with a defect, with several pages
 * or with redirects. All of these add requests. A possible violation adds most: its requests are sent again, and at the
 * end of the run, the lists of up to 40 breeds are read again to see whether the directory changed.
 */
export const MAX_REQUESTS_OF_OTHERS = 250

interface MoreRequests {
  readonly reason: string
  /** The maximum number of requests by the id of the deployment. */
  readonly most: Readonly<Record<string, number>>
}

/** The deployments that take more requests, with the reason. The table should get shorter. */
export const deploymentsWithMoreRequests: readonly MoreRequests[] = [
  {
    reason: 'pages of a list are missing: the whole list is read again to confirm that',
    most: {
      'breeds-next-link-leads-back': 290,
      'cats-last-link-lost': 350,
      'search-first-ten': 340,
      'breed-next-link-leads-to-cats': 320,
      'cats-next-link-without-base-path': 390,
      'cats-last-token-lost': 370,
      'cats-last-page-lost': 370,
      'search-next-without-q': 370,
      'breed-cats-first-ten-beside-ids': 260,
      'cats-next-link-refused': 310,
      'cats-one-lost-beside-duration': 320,
      'cats-one-lost-beside-limit': 320,
      'cats-one-lost-beside-rate-limit': 320,
      'cats-next-link-to-html': 350,
      'cats-first-ten-beside-the-usual': 360,
      'cats-first-ten-beside-totals': 390,
    },
  },
  {
    reason: 'all names of the list of cats are altered: many lists and searches differ from it, and are read again',
    most: {
      'cats-ascii': 260,
      'cats-lowered': 270,
      'cats-shouted': 280,
      'cats-shouted-under-any-key': 290,
      'cats-escaped': 310,
      'cats-lowered-both': 340,
    },
  },
  {
    reason: 'every page has three names, so that each list has up to seventeen pages',
    most: {
      'pages-other-next': 420,
    },
  },
  {
    reason: 'a directory has 400 breeds: the requirement that each list is served applies to all of them',
    most: {
      'breed-cats-object-of-many': 1000,
      'breed-cats-404-of-many': 1100,
    },
  },
  {
    reason: 'a search tells nothing about names, so that more responses are compared to find out where the names are',
    most: {
      'search-like-both': 260,
      'search-contrary': 260,
      'search-ignores-q-both': 270,
      'shape-never-told': 380,
    },
  },
  {
    reason: 'each request of an operation is dropped, and sent again after a health check',
    most: {
      'search-reset': 390,
    },
  },
  {
    reason: 'responses differ now and then: experiments test whether they depend on other requests',
    most: {
      'breed-missing-in-any-case': 430,
      'search-nothing-at-first': 510,
      'search-pages-of-other-orders': 1200,
    },
  },
  {
    reason: 'requests change lists or lives: experiments compare intervals with and without these requests',
    most: {
      'unknown-breed-costs-a-life': 260,
      'search-costs-first-two-a-life': 270,
      'lives-404-for-one-and-cost-one': 290,
      'breeds-read-founds-one': 290,
      'breeds-read-founds-one-v3': 300,
      'lives-cost-all': 310,
      'breeds-read-closes-one': 380,
      'breed-read-costs-a-life': 330,
      'breeds-read-costs-a-life': 330,
      'search-gives-a-life': 350,
      'breed-read-adds-one': 360,
      'lives-gain-one': 400,
      'vain-search-costs-a-life': 370,
      'unknown-cat-costs-first-two-a-life': 380,
      'cats-read-drops-one': 460,
      'unknown-cat-costs-a-life': 380,
      'breed-read-takes-its-last': 390,
      'cats-read-drops-first': 520,
      'cats-read-adds-one': 440,
      'lives-cost-some': 420,
      'search-takes-the-last': 480,
      'search-deletes': 560,
      'breed-read-drops-one': 520,
      'search-third-adds-one': 570,
      'breed-unknown-is-founded': 700,
      'search-third-costs-a-life': 800,
      'search-moves-to-breed': 900,
      'breed-read-moves-one': 1700,
      'search-moves': 1700,
      'search-adds-query': 1800,
      'search-adds-query-v3': 2000,
      'lives-found-a-cat': 2000,
      'search-costs-a-life': 2000,
      'lives-cost-one-in-v2': 2500,
      'cats-read-moves-one': 3300,
    },
  },
]

const maxRequestsById = new Map(deploymentsWithMoreRequests.flatMap(({ most }) => Object.entries(most)))

/**
 * Returns a line for each deployment that took too many requests.
 * @param requestsById the number of requests of each judged deployment
 */
export const describeTooManyRequests = (requestsById: ReadonlyMap<string, number>): readonly string[] =>
  [...requestsById].flatMap(([id, requests]) => {
    const most = maxRequestsById.get(id) ?? MAX_REQUESTS_OF_OTHERS
    return requests > most ? [`${id}: ${requests} requests, at most ${most}`] : []
  })
