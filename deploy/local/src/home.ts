import { accessSync, constants, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Problem } from './problem.js'

/** The folder of one installation, and where each thing lies in it. */
export type Home = ReturnType<typeof openHome>

export function openHome(path: string) {
  const folder = resolve(path)
  try {
    // Open to others, because PostgreSQL has to get through as another user when this is root; what is secret in it is closed by itself.
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Problem(`The data folder ${path} cannot be used by this user: set CASEWAY_HOME to another one.`, { cause })
  }
  return {
    /** As the user named it. */
    path,
    folder,
    lock: join(folder, 'lock.json'),
    secrets: join(folder, 'secrets.json'),
    demo: join(folder, 'demo.json'),
    postgres: join(folder, 'postgres'),
    postgresLog: join(folder, 'postgres.log'),
    /** Those that no server sends. */
    mails: join(folder, 'mails'),
    log: join(folder, 'caseway.log'),
    /** Of the services of a distributed platform, made at each start. */
    certificates: join(folder, 'certificates'),
    /** The processes of a distributed platform. */
    processes: join(folder, 'processes.json'),
  }
}

/** All of it or nothing, readable by its owner only. */
export function writePrivately(path: string, content: unknown): void {
  const unfinished = `${path}.unfinished`
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}
