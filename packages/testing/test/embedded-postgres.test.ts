import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

/** Below a private folder, to test as root that PostgreSQL can enter it. */
let folder: string
let dataDir: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-postgres-'))
  dataDir = join(folder, 'data')
})
afterAll(() => rmSync(folder, { recursive: true }))

const moduleAt = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../install/postgres/${name}`, import.meta.url)))
const program = () => `
  import { existsSync } from 'node:fs'
  import { initCluster, startCluster } from ${moduleAt('cluster.mjs')}
  import { endLeftoverServer } from ${moduleAt('leftover.mjs')}
  const options = { dataDir: ${JSON.stringify(dataDir)}, logFile: ${JSON.stringify(join(folder, 'log'))}, password: 'word' }
  if (!existsSync(options.dataDir)) await initCluster({ ...options, durable: false })
  await endLeftoverServer(options.dataDir)
  const cluster = await startCluster(options)
  process.on('SIGTERM', async () => { await cluster.stop(); process.exit() })
  console.log('ready')
`

/** Starts a program with a PostgreSQL. Returns it with the pid of the server. */
async function start(): Promise<{ owner: ChildProcess; server: number }> {
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', program()], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await Promise.race([once(owner.stdout as NodeJS.ReadableStream, 'data'), once(owner, 'exit')])
  expect(String(line)).toBe('ready\n')
  const server = runningServer(dataDir)?.pid
  if (server === undefined) throw new Error('The server has not written its number.')
  return { owner, server }
}

async function stop({ owner, server }: Awaited<ReturnType<typeof start>>): Promise<void> {
  owner.kill('SIGTERM')
  expect(await once(owner, 'exit')).toEqual([0, null])
  expect(isAlive(server)).toBe(false)
}

/** The pid of the guard between the program and its server. */
const parentOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])

describe('the embedded PostgreSQL', () => {
  it('is gone when its program has stopped it', async () => {
    await stop(await start())
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false)
  })

  it('does not outlive a killed program', async () => {
    const { owner, server } = await start()
    owner.kill('SIGKILL')
    await eventually(() => expect(isAlive(server)).toBe(false))
  })

  it('is ended by the next start when its guard was killed as well', async () => {
    const { owner, server } = await start()
    process.kill(parentOf(server), 'SIGKILL')
    owner.kill('SIGKILL')
    const next = await start()
    expect(next.server).not.toBe(server)
    expect(isAlive(server)).toBe(false)
    await stop(next)
  })

  it('starts after a server that was killed before it had written its pid', async () => {
    await stop(await start())
    writeFileSync(join(dataDir, 'postmaster.pid'), '')
    expect(runningServer(dataDir)).toBeUndefined()
    await stop(await start())
  })

  it('starts when another process has the pid of a killed server', async () => {
    const { owner, server } = await start()
    process.kill(server, 'SIGKILL')
    owner.kill('SIGKILL')
    await eventually(() => expect(isAlive(server)).toBe(false))
    const pidFile = join(dataDir, 'postmaster.pid')
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)))
    await stop(await start())
  })
})
