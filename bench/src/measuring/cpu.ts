import { readFileSync } from 'node:fs'

/** Pids by name. */
export type Processes = Readonly<Record<string, number>>

/** USER_HZ, which is 100 wherever Linux runs (proc_pid_stat(5)). */
const ticksPerSecond = 100

/** The CPU seconds of each process so far. */
export const cpuSecondsOf = (processes: Processes): Record<string, number> =>
  Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, ticksOf(pid) / ticksPerSecond]))

/** The CPU seconds of a process so far, without its children. */
export const ownCpuSecondsOf = (pid: number): number => ticksIn(pid, { reaped: false }) / ticksPerSecond

/** Includes children, because PostgreSQL serves each connection in a process of its own. */
function ticksOf(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  const ticks = ticksIn(pid, { reaped: true })
  return children.reduce((sum, child) => sum + ticksIn(Number(child), { reaped: false }), ticks)
}

function ticksIn(pid: number, { reaped }: { reaped: boolean }): number {
  // The name in parentheses may contain spaces; utime, stime, cutime and cstime are the 12th to 15th field after it.
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] =
    read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ').slice(11, 15).map(Number) ?? []
  return utime + stime + (reaped ? cutime + cstime : 0)
}

/** Returns an empty text when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
