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

/** The deployments that take more requests, with the reason. This table may only get shorter. */
export const deploymentsWithMoreRequests: readonly MoreRequests[] = []

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
