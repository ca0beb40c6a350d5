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

/** A running Dovecot. */
export interface Dovecot {
  readonly host: string
  readonly ports: Readonly<Record<'imap' | 'imaps' | 'pop3' | 'pop3s', number>>
  /** The CA certificate of the server, as PEM. */
  readonly caFile: string
  /** Folder and owner of the mail, for a server that delivers into it (`postfix`). */
  readonly mail: { readonly folder: string; readonly uid: number; readonly gid: number }
  /** The password of every account. An account exists once somebody has signed in to it. */
  readonly password: string
  /** Runs doveadm(1). @returns its output */
  doveadm(...args: readonly string[]): Promise<string>
  /** Kills the server, without closing connections properly. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same ports and with the same mail. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** nobody:nogroup of Debian, because Dovecot does not store mail as root. */
const mailUser = { uid: 65_534, gid: 65_534 }

/** Switches off the growing delays after failed logins. */
export const withoutPenalty = 'service anvil {\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}'

interface DovecotOptions {
  /** Accepts OAuth 2.0 tokens in addition to passwords; Dovecot verifies them at this URL, with `Authorization: Bearer`. */
  readonly tokenInfoUrl?: string
}

/**
 * Starts Dovecot, which has to be installed (dovecot-imapd, dovecot-pop3d). Needs root.
 * @param settings further lines of the configuration
 */
export async function dovecot(settings = '', { tokenInfoUrl }: DovecotOptions = {}): Promise<Dovecot> {
  // Short, because the paths of sockets may have at most 107 bytes (unix(7)).
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
