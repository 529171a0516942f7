import { unusualQueryStrings } from '../../../directory/inputs/trouble-strings.ts'
import { selectTestStrings } from '../../../directory/inputs.ts'
import { forEach } from '../check.ts'
import { assertJsonForArbitraryString } from '../list-assertions.ts'
import { describeSearchByQueryString } from '../robustness.ts'

const showQueryString = (sent: string): string => `?${sent}`

/**
 * Tests that a 2xx to a search in which `q` is absent, empty, given twice, a list or an object is JSON if its media type
 * says so (R2.2). What such a search finds is open. Other checks send the same requests.
 */
export const probeJsonForUnusualQueryStrings = forEach<string>(
  (target, read) => selectTestStrings('queryString', unusualQueryStrings, target, read),
  (sent, { directory }, read) =>
    assertJsonForArbitraryString(
      {
        element: 'cat',
        description: describeSearchByQueryString(sent),
        resource: directory.raw.query(sent),
        namesAtFault: [showQueryString(sent)],
      },
      read,
    ),
  { textOf: showQueryString, stringOf: showQueryString, areUnlisted: true },
)
