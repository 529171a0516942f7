// Checks the version of Node.js before anything else is loaded, in syntax that an old Node.js can read.

const OLDEST_VERSION = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1])) {
  process.stderr.write(
    `This needs Node.js ${OLDEST_VERSION.join('.')} or newer, and this is Node.js ${process.versions.node}. Nothing was judged.\n`,
  )
  process.exit(2)
}

/** Reports a defect of this suite or of its installation, which is never a verdict. */
function fail(error) {
  process.stderr.write(
    `This suite failed, not the deployment: ${error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exit(4)
}

const INTERRUPTION = Symbol.for('cat-directory-conformance interruption')

/** Ends the process on uncaught errors and on the second signal; the first signal ends a run in order, with reports. */
function listenForEnd() {
  process.on('uncaughtException', fail)
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()))
  return controller.signal
}

/**
 * A signal that is aborted when the user interrupts the command. It is kept in `process`, so that the listeners are
 * added only once even if this module is loaded twice.
 */
export const interruption = (process[INTERRUPTION] ??= listenForEnd())
