import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LARGE_BYTES = 12 << 20

let collect: (() => void) | undefined

/**
 * Lets go of what a large answer left behind, at once: V8 sees no hurry while it may take gigabytes, and this suite
 * promises to stay small beside a deployment that sends without end.
 */
export function releaseAfter(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void // what the flag exposes
  }
  collect()
}
