import type { BreedIdEvidenceCollector } from './create-shape.ts'
import type { NameTest } from './name-tests.ts'
import type { SearchFetcher } from './search-consistency.ts'

/** The evidence from which the shape of the list of all cats or breeds is inferred. */
export interface WholeListEvidence {
  /** Tests whether a string is a name, the most reliable first. */
  readonly nameTests: readonly NameTest[]
  /** Returns whether a string is certainly not a name, because a request with it is refused or finds nothing. */
  readonly isNoName?: NameTest
  /**
   * Returns whether a string is the name of a cat, and not another string by which searches find the cat. Absent for
   * breeds, and if no version with lives is tested.
   */
  readonly identifiesCat?: NameTest | undefined
  /** Fetches the result of a search for a string of an element. The result contains the same element. */
  readonly fetchSearch?: SearchFetcher
  /** Fetches a response of another operation. It shows whether an array with one element only wraps the list. */
  readonly fetchSibling?: () => Promise<unknown>
  /**
   * Fetches the result of a search for a made-up name. If the result is empty, it shows whether an array with one
   * element only wraps the list.
   */
  readonly fetchEmpty?: () => Promise<unknown>
  /** The names of all breeds. They show at which place an element of a cat contains its breed. */
  readonly breeds: readonly string[]
  /** Collects evidence about the place of the breed's id in an element of a cat. */
  readonly collectBreedIdEvidence?: BreedIdEvidenceCollector | undefined
}
