import type { OneVersion } from '../../directory/deployment.ts'
import type { Strings } from '../../directory/inputs.ts'
import type { Read } from '../../engine/check/readers.ts'

/** Puts the control name, the plainest unlisted name, before other strings. */
export const withControlName =
  (strings: (target: OneVersion, read: Read) => Promise<Strings>): typeof strings =>
  async (target, read) => {
    const { examples, ...others } = await strings(target, read)
    return { ...others, examples: [target.directory.controlName(), ...examples] }
  }
