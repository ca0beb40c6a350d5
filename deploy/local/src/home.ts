import { mkdtempSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '@caseway/kit/folders'
import { Problem } from './problem.js'

/** The folder of an installation, and the paths in it. */
export type Home = Awaited<ReturnType<typeof openHome>>

/** @throws Problem if nothing can be written there */
export async function openHome(path: string) {
  const folder = resolve(path)
  try {
    // Readable by others, because PostgreSQL runs as another user when this process is root; secret files have restricted modes of their own.
    await makeFolder(folder, 0o755)
    // access(2) permits root to write where the file system does not, as in /proc.
    rmdirSync(mkdtempSync(join(folder, 'writable-')))
  } catch (cause) {
    throw new Problem(`The data folder ${path} cannot be used by this user: set CASEWAY_HOME to another one.`, { cause })
  }
  return {
    /** The path as the user specified it. */
    path,
    folder,
    lock: join(folder, 'lock.json'),
    secrets: join(folder, 'secrets.json'),
    demo: join(folder, 'demo.json'),
    postgres: join(folder, 'postgres'),
    postgresLog: join(folder, 'postgres.log'),
    /** Mails that are written here because no SMTP server is configured. */
    mails: join(folder, 'mails'),
    log: join(folder, 'caseway.log'),
    /** The certificates of a distributed platform, created at each start. */
    certificates: join(folder, 'certificates'),
    /** The list of the processes of a distributed platform. */
    processes: join(folder, 'processes.json'),
  }
}

/** Writes JSON atomically, readable by its owner only. */
export function writePrivately(path: string, content: unknown): void {
  const unfinished = `${path}.unfinished`
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}
