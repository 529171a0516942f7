/**
 * A cat directory whose process ends at some strings, as Node.js does after an uncaught exception. It is plain
 * JavaScript, so that a process starts within a tenth of a second.
 * Arguments: the number of workers of a cluster (0 for a single process, which is restarted RESTART_MS after it ended),
 * and the name of a defect in DEFECTS.
 */
import { fork } from 'node:child_process'
import cluster from 'node:cluster'
import { createServer } from 'node:http'

const RESTART_MS = 300
const CATS = new Map([
  ['Manx', ['Tom', 'Felix', 'Hazel']],
  ['Persian', ['Luna', 'Otto']],
  ['Maine Coon', ['Milo']],
])
const DEFECTS = {
  none: () => false,
  bracket: ({ q }) => q === '[',
  expression: ({ q }) => q !== undefined && !compiles(q),
  query: ({ query }) => query !== undefined && decoded(query) === undefined,
  path: ({ path }) => decoded(path) === undefined,
}

function compiles(pattern) {
  try {
    return new RegExp(pattern).source !== ''
  } catch {
    return false
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function bodyOf([version, kind, name, rest], q) {
  const cats = [...CATS.values()].flat()
  const breeds = [...CATS.keys()]
  if (kind === 'cats' && name === undefined) return cats
  if (kind === 'breeds') return name === undefined ? breeds : rest === 'cats' ? CATS.get(name) : undefined
  if (kind === 'cat' && version === 'v3' && rest === 'lives_left') return cats.includes(name) ? 9 : undefined
  const has = (text) => text.toLowerCase().includes(q.toLowerCase())
  if (kind !== 'search' || q === undefined) return undefined
  return breeds.flatMap((breed) => CATS.get(breed).filter((cat) => has(cat) || has(breed)))
}

function respond(request, response) {
  const [path, query] = request.url.split('?')
  const q = decoded(/(?:^|&)q=([^&]*)/.exec(query ?? '')?.[1].replaceAll('+', ' ') ?? '%')
  if (DEFECTS[process.argv[3]]({ path, query, q })) process.exit(1)
  const parts = path.split('/').slice(1).map(decoded)
  const isOdd = parts.includes(undefined) || decoded(query ?? '') === undefined
  const body = isOdd || !/^v[23]$/.test(parts[0]) ? undefined : bodyOf(parts, q)
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? { error: 'not found' }))
}

const listen = (port, onListening) =>
  createServer(respond).listen(port, '127.0.0.1', function () {
    onListening(this.address().port)
  })

/** Starts the process, and restarts it each time that it has ended. */
function supervise(port) {
  const child = fork(import.meta.filename, process.argv.slice(2), { env: { ...process.env, SERVE_ON: port } })
  child.once('message', (bound) => process.send({ port: bound }))
  child.on('exit', () => {
    process.send({ died: true })
    setTimeout(() => supervise(port), RESTART_MS)
  })
}

const workers = Number(process.argv[2])
if (process.env.SERVE_ON !== undefined) {
  process.on('disconnect', () => process.exit())
  listen(Number(process.env.SERVE_ON), (port) => process.send(port))
} else if (cluster.isWorker) listen(Number(process.env.PORT), (port) => process.send(port))
else {
  process.on('disconnect', () => process.exit())
  // Chooses a free port once, so that a restarted process listens on the same one.
  const free = createServer().listen(0, '127.0.0.1', () => {
    const { port } = free.address()
    free.close(() => {
      if (workers === 0) return supervise(port)
      for (let nth = 0; nth < workers; nth++) cluster.fork({ PORT: port })
      cluster.on('message', () => process.send({ port }))
      cluster.on('exit', () => {
        process.send({ died: true })
        cluster.fork({ PORT: port })
      })
    })
  })
}
