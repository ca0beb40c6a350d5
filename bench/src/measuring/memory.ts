import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from './inspector.js'

/** Resident memory of a process, in KiB. */
export function residentKib(pid: number): number {
  const [, size] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(size)
}

/** Resets the peak of resident memory (proc_pid_clear_refs(5)). */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** The peak of resident memory of a process, in MiB. */
export function peakMib(pid: number): number {
  const [, size] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(size) / 1024
}

/** Memory of a process and its children, in KiB, with shared pages divided among them (PSS). */
export function proportionalKib(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const sizes = [pid, ...children].map((one) => /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1])
  return sizes.reduce((sum, size) => sum + Number(size), 0)
}

const settleMs = 3_000

/** Total resident memory of idle processes, in KiB, after they have released what they do not need. */
export async function settledKib(pids: readonly number[]): Promise<number> {
  await pause(settleMs)
  for (const pid of pids) await inspect(pid, (ask) => ask('HeapProfiler.collectGarbage'))
  await pause(settleMs)
  return pids.reduce((sum, pid) => sum + residentKib(pid), 0)
}
