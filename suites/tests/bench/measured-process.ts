import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const reportCpu = fileURLToPath(new URL('./report-cpu.mjs', import.meta.url))

/** The cost of a program. The CPU time is that of all its threads. */
export interface ProcessCost {
  readonly code: number | null
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMb: number
}

/** Reads the peak memory of a process in megabytes; 0 where the system does not report it (other than Linux). */
function readPeakMemory({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Runs Node.js with these arguments to its end, without showing its output. */
export async function measureProcess(...args: readonly string[]): Promise<ProcessCost> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', reportCpu, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  let peakMb = 0
  const watch = setInterval(() => void (peakMb = Math.max(peakMb, readPeakMemory(child))), 20)
  const [cpu] = await Promise.all([text(child.stdio[3] as NodeJS.ReadableStream), once(child, 'close')]) // a pipe
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  return { code: child.exitCode, seconds, cpuSeconds: Number(cpu) / 1e6, peakMb }
}
