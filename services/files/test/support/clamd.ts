import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@caseway/install/free-port.mjs'
import { eventually } from '@caseway/testing'
import { eicar } from './archives.js'

/** The only signature, because those of ClamAV are half a gigabyte and have to be downloaded. */
const signatures = `Eicar-Test-Signature:0:*:${Buffer.from(eicar).toString('hex')}\n`

export const streamMaxBytes = 8 * 1_048_576

/** A clamd (Debian: `clamav-daemon`). */
export interface Clamd {
  readonly address: string
  readonly path: string
  start(): Promise<void>
  /** SIGSTOP hangs it, SIGCONT lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startClamd(): Promise<Clamd> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-clamd-'))
  const [port, path] = [await freePort(), join(folder, 'clamd.ctl')]
  await writeFile(join(folder, 'eicar.ndb'), signatures)
  await writeFile(join(folder, 'clamd.conf'), configuration(folder, port, path))
  let process: ChildProcess

  const start = async () => {
    process = spawn('clamd', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
    await eventually(() => takesConnections(path), { timeoutMs: 20_000 })
  }
  const kill = async () => {
    const ended = once(process, 'exit')
    process.kill('SIGKILL')
    await ended
  }
  await start()

  return {
    ...{ path, start, kill },
    address: `127.0.0.1:${port}`,
    signal: (signal) => void process.kill(signal),
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

async function takesConnections(path: string): Promise<void> {
  const socket = connect(path)
  await once(socket, 'connect').finally(() => socket.destroy())
}

/** The configuration of clamd that services/files/README.md requires. */
const configuration = (folder: string, port: number, path: string) => `
Foreground yes
LogSyslog no
DatabaseDirectory ${folder}
TemporaryDirectory ${folder}
LocalSocket ${path}
TCPAddr 127.0.0.1
TCPSocket ${port}
StreamMaxLength ${streamMaxBytes}
AlertExceedsMax yes
SelfCheck 0
`
