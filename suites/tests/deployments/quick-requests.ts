import type { RunResult } from '../../engine/check/verdict.ts'

/**
 * The maximum number of requests of a run with `--effort quick` against a deployment with a defect, with several pages
 * or with redirects. All of these add requests. A possible violation adds most: its requests are sent again, and
 * experiments find out what causes changes of the data. Up to 50 of these requests find out, at the end of the run,
 * whether the data changed.
 */
export const MAX_REQUESTS_OF_OTHERS = 300

/** Counts the requests of a run. Retries do not count towards the limit of quick effort. */
export const countRequests = ({ requests, retries }: Pick<RunResult, 'requests' | 'retries'>): number =>
  requests - retries

/**
 * Returns a line for each deployment that took too many requests.
 * @param requestsById the number of requests of each judged deployment
 */
export const describeTooManyRequests = (requestsById: ReadonlyMap<string, number>): readonly string[] =>
  [...requestsById].flatMap(([id, requests]) =>
    requests > MAX_REQUESTS_OF_OTHERS ? [`${id}: ${requests} requests, at most ${MAX_REQUESTS_OF_OTHERS}`] : [],
  )
