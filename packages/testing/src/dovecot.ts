import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { freePort } from '@caseway/install/free-port.mjs'
import { configurationOf, oauthConfigurationOf, tokenConfigurationOf } from './dovecot-configuration.js'
import { eventually } from './eventually.js'
import { answers } from './ports.js'

const run = promisify(execFile)

/** A mail server of its own: a real Dovecot. */
export interface Dovecot {
  readonly host: string
  readonly ports: Readonly<Record<'imap' | 'imaps' | 'pop3' | 'pop3s', number>>
  /** The certificate of the authority that has signed the server's, in PEM. */
  readonly caFile: string
  /** Where the mail is, and whose it is: for a server that delivers (`postfix`). */
  readonly mail: { readonly folder: string; readonly uid: number; readonly gid: number }
  /** Of every account. An account is there as soon as somebody signs in to it. */
  readonly password: string
  /** Runs its command line tool (doveadm(1)). @returns what it prints */
  doveadm(...args: readonly string[]): Promise<string>
  /** Ends it without a farewell to whoever is connected. */
  kill(): Promise<void>
  /** After `kill`, on the same ports, with what was stored. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** nobody:nogroup of Debian. Dovecot stores no mail as root. */
const mailUser = { uid: 65_534, gid: 65_534 }

/** For its configuration: otherwise whoever was refused waits longer and longer for the next answer. */
export const withoutPenalty = 'service anvil {\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}'

interface DovecotOptions {
  /** Takes tokens of OAuth 2.0 beside passwords: who is asked with `Authorization: Bearer` whose token it is. */
  readonly tokenInfoUrl?: string
}

/**
 * Starts Dovecot, which has to be installed (dovecot-imapd, dovecot-pop3d), and has to be started by root.
 * @param settings further lines of its configuration
 */
export async function dovecot(settings = '', { tokenInfoUrl }: DovecotOptions = {}): Promise<Dovecot> {
  // Short, because the paths of its sockets have at most 107 bytes (unix(7)).
  const folder = await mkdtemp(join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'mail'))
  await chown(join(folder, 'mail'), mailUser.uid, mailUser.gid)
  const host = '127.0.0.1'
  const ports = { imap: await freePort(), imaps: await freePort(), pop3: await freePort(), pop3s: await freePort() }
  const { server: certificate } = await writeCertificates(join(folder, 'certificates'), { server: [host] })
  if (!certificate) throw new Error('There is no certificate for the server.')
  const password = randomUUID()
  const file = join(folder, 'dovecot.conf')
  const oauthFile = join(folder, 'oauth2.conf.ext')
  if (tokenInfoUrl !== undefined) await writeFile(oauthFile, tokenConfigurationOf(tokenInfoUrl))
  const more = tokenInfoUrl === undefined ? settings : `${settings}\n${oauthConfigurationOf(oauthFile)}`
  await writeFile(file, configurationOf({ folder, ports, certificate, password, mailUser, settings: more }))

  let child: ChildProcess
  const start = async () => {
    child = spawn('dovecot', ['-F', '-c', file], { stdio: 'ignore' })
    const failed = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`Dovecot ended with ${code}; see ${join(folder, 'log')}.`)),
    )
    failed.catch(() => undefined)
    const listening = Object.values(ports).map((port) => eventually(() => answers(port), { timeoutMs: 20_000 }))
    await Promise.race([failed, Promise.all(listening)])
  }
  const kill = async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  await start()
  return {
    ...{ host, ports, caFile: certificate.caFile, mail: { folder: join(folder, 'mail'), ...mailUser }, password, start, kill },
    doveadm: async (...args) => (await run('doveadm', ['-c', file, ...args])).stdout,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
