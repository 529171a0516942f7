/**
 * The maximum number of requests of a run with `--effort quick` against a deployment with a defect, with several pages
 * or with redirects. All of these add requests. A possible violation adds most: its requests are sent again, and
 * experiments find out what causes changes of the data.
 */
export const MAX_REQUESTS_OF_OTHERS = 250

/**
 * Returns a line for each deployment that took too many requests.
 * @param requestsById the number of requests of each judged deployment
 */
export const describeTooManyRequests = (requestsById: ReadonlyMap<string, number>): readonly string[] =>
  [...requestsById].flatMap(([id, requests]) =>
    requests > MAX_REQUESTS_OF_OTHERS ? [`${id}: ${requests} requests, at most ${MAX_REQUESTS_OF_OTHERS}`] : [],
  )
