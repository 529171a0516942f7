import { Pool, request } from 'undici'

/**
 * A bare client with which the benchmark compares the command: `bare-client.mjs BASE_URL TARGET REQUESTS
 * CONCURRENCY`. Requests the target that many times, and reads each response as text.
 */

const [baseUrl, target, requests, concurrency] = process.argv.slice(2)
const pool = new Pool(baseUrl, { connections: Number(concurrency) })
let left = Number(requests)

async function requestInTurn() {
  while (left-- > 0) {
    const { body } = await request(`${baseUrl}${target}`, { dispatcher: pool })
    await body.text()
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, requestInTurn))
await pool.close()
