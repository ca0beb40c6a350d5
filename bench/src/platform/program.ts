import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that listens on a port. */
export interface Program {
  name: string
  url: string
  pid: number
  stop(): void
}

/** Starts a script that sends its URL to the parent, or only that it is ready if `url` is given. */
export async function startProgram(name: string, script: URL, env: NodeJS.ProcessEnv, url?: string): Promise<Program> {
  const child = spawn(process.execPath, [script.pathname], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} ended before it was ready.`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return { name, url: url ?? String(message), pid: child.pid as number, stop: () => child.kill() }
}
