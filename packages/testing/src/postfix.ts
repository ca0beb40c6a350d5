import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@caseway/install/free-port.mjs'
import { eventually } from './eventually.js'
import { answers } from './ports.js'

const run = promisify(execFile)

/** An SMTP server of its own: a real Postfix. It takes messages for `*.example`, and delivers them nowhere. */
export interface Postfix {
  readonly host: string
  readonly port: number
  /** What it has logged so far (postlogd(8)). */
  log(): Promise<string>
  stop(): Promise<void>
}

const settingsOf = (folder: string): Readonly<Record<string, string>> => ({
  ...{ compatibility_level: '3.6', mail_owner: 'postfix', setgid_group: 'postdrop' },
  ...{ queue_directory: `${folder}/queue`, data_directory: `${folder}/data`, maillog_file: `${folder}/log`, maillog_file_prefixes: folder },
  ...{ inet_interfaces: 'loopback-only', inet_protocols: 'ipv4', mynetworks: '127.0.0.0/8', myhostname: 'server.caseway.example' },
  ...{ mydestination: '', alias_maps: '', alias_database: '', local_recipient_maps: '' },
  ...{ default_transport: 'discard', relay_domains: 'example', relay_transport: 'discard', smtpd_tls_security_level: 'none' },
  // All who send here have one address: as many connections as they open (50 by default).
  ...{ smtpd_client_connection_count_limit: '0', default_process_limit: '200' },
})

/** Of master.cf(5): what receives and delivers, without chroot. */
const servicesOf = (port: number): readonly string[] => [
  `127.0.0.1:${port} inet n - n - - smtpd`,
  ...[
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
  ],
  ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
  ...['error', 'discard', 'showq'].map((name) => `${name} unix ${name === 'showq' ? 'n' : '-'} - n - - ${name}`),
  ...[
    'retry unix - - n - - error',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ],
]

/** Starts Postfix, which has to be installed (postfix), and has to be started by root. */
export async function postfix(): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), 'postfix-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const { stdout: uid } = await run('id', ['-u', 'postfix'])
  for (const each of ['queue', 'data', 'etc']) await mkdir(join(folder, each))
  await chown(join(folder, 'data'), Number(uid), 0)
  const lines = Object.entries(settingsOf(folder)).map(([name, value]) => `${name} = ${value}`)
  await writeFile(join(folder, 'etc/main.cf'), `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'etc/master.cf'), `${servicesOf(port).join('\n')}\n`)
  const command = (name: string) => run('postfix', ['-c', join(folder, 'etc'), name])
  await command('start')
  await eventually(() => answers(port), { timeoutMs: 20_000 })
  return {
    ...{ host: '127.0.0.1', port },
    log: () => readFile(join(folder, 'log'), 'utf8'),
    async stop() {
      await command('stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
