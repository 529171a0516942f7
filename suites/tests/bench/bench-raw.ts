/** The elements of a list in the response of `bench-directory.ts`. */
type Elements = readonly { readonly name: string }[]

/**
 * Fetches and parses the lists of both versions, and indexes their names.
 * @returns the seconds that it takes
 */
export async function measureBareReading(baseUrl: string): Promise<number> {
  const indexed = new Map<string, unknown>()
  const read = async (target: string): Promise<void> => {
    const text = await (await fetch(baseUrl + target)).text()
    const list = JSON.parse(text) as Elements | { readonly items: Elements } // the response of `bench-directory.ts`
    for (const element of 'items' in list ? list.items : list) indexed.set(`${target} ${element.name}`, element)
  }
  const began = performance.now()
  for (const version of ['v2', 'v3']) await read(`/${version}/cats`)
  return (performance.now() - began) / 1000
}
