import type { VersionTarget } from '../../directory/deployment.ts'
import type { TestStrings } from '../../directory/inputs.ts'
import type { Read } from '../../engine/check/readers.ts'

/**
 * Adds a control name (a name that no cat or breed has) as the first string. It is the simplest unlisted name, because
 * it has no special characters.
 */
export const addControlNameToInputs =
  (strings: (target: VersionTarget, read: Read) => Promise<TestStrings>): typeof strings =>
  async (target, read) => {
    const { examples, ...others } = await strings(target, read)
    return { ...others, examples: [target.directory.controlName(), ...examples] }
  }
