import { createControlNames } from '../../directory/shared/control-names.ts'
import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'

/** An imagined directory that answers without a network, to record the requests of checks. */
export interface ImaginedDirectory {
  /** The cats of each breed. */
  readonly breeds: Readonly<Record<string, readonly string[]>>
}

/** Two without a common name: requests that both get do not depend on listed names. */
export const imaginedDirectories: readonly [ImaginedDirectory, ImaginedDirectory] = [
  { breeds: { Tolbane: ['Pikvel', 'Rosa Quint'], 'Grey Mund': ['Zoé', 'Habelin'], Ouvrél: ['Maximilia Berg'] } },
  { breeds: { Vurdisk: ['Jomfry', 'Elke Wyndt'], 'Dun Hask': ['Réa', 'Cudopan'], Issépt: ['Konstantin Falk'] } },
]

export const imaginedControlNames = createControlNames('0123456789a')

export const imaginedCatsIn = ({ breeds }: ImaginedDirectory): readonly string[] => Object.values(breeds).flat()

const decodeOrKeep = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function searchImagined(directory: ImaginedDirectory, query: string): readonly string[] {
  const wanted = query.toLowerCase()
  return Object.entries(directory.breeds).flatMap(([breed, cats]) =>
    cats.filter((cat) => [cat, breed].some((text) => text.toLowerCase().includes(wanted))),
  )
}

/** The value at a request target, in the plainest shapes; undefined if there is none. */
function imaginedValueAt(directory: ImaginedDirectory, target: string): unknown {
  const [path = '', query = ''] = target.split('?')
  const [, version, kind, name = '', rest] = path.split('/').map(decodeOrKeep)
  if (kind === 'cats') return imaginedCatsIn(directory)
  if (kind === 'breeds' && rest === undefined) return name === '' ? Object.keys(directory.breeds) : undefined
  if (kind === 'breeds') return Object.hasOwn(directory.breeds, name) ? directory.breeds[name] : undefined
  if (kind === 'search') return searchImagined(directory, decodeOrKeep(/^q=(.*)$/s.exec(query)?.[1] ?? ''))
  if (kind === 'cat' && version !== 'v2') return imaginedCatsIn(directory).includes(name) ? 9 : undefined
  return undefined
}

/** @param onRequest receives each request */
export const createImaginedSender =
  (directory: ImaginedDirectory, onRequest: (request: Request) => void = () => {}): SendRequest =>
  async (request): Promise<Exchange> => {
    onRequest(request)
    const value = imaginedValueAt(directory, request.target)
    return {
      id: 0,
      request,
      url: request.target,
      outcome: {
        kind: 'response',
        status: value === undefined ? 404 : 200,
        fields: [['content-type', 'application/json']],
        body: value === undefined ? { kind: 'empty' } : { kind: 'json', value },
      },
      askedAt: 0,
      ms: 0,
      excerpt: '',
      requestHeaders: {},
      redirectedFrom: [],
    }
  }
