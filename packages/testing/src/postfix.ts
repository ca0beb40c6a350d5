import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@caseway/install/free-port.mjs'
import { eventually } from './eventually.js'
import { answers } from './ports.js'

const run = promisify(execFile)

/** Mailboxes into which Postfix delivers, such as those of a Dovecot. */
interface Mailboxes {
  /** Contains a folder with a Maildir for each address. */
  readonly folder: string
  /** The owner of the files. */
  readonly uid: number
  readonly gid: number
  readonly addresses: readonly string[]
}

/**
 * A running Postfix. It accepts messages for `*.example`, and delivers only those to the addresses of its mailboxes. Other addresses of their domains
 * are refused permanently (550), those at `deferred.example` temporarily (450). With mailboxes, messages to `bounced.example` are accepted and then
 * bounced.
 */
export interface Postfix {
  readonly host: string
  readonly port: number
  /** The log so far (postlogd(8)). */
  log(): Promise<string>
  stop(): Promise<void>
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const deliveringTo = ({ folder, uid, gid, addresses }: Mailboxes): Readonly<Record<string, string>> => ({
  ...{ virtual_mailbox_domains: [...new Set(addresses.map(domainOf))].join(' '), virtual_mailbox_base: folder, virtual_minimum_uid: '1' },
  ...{ virtual_mailbox_maps: `inline:{ ${addresses.map((address) => `{ ${address} = ${address}/Maildir/ }`).join(', ')} }` },
  // A known alias of an unknown address, so that messages to it bounce.
  ...{ virtual_alias_maps: `inline:{ { @bounced.example = bounced@${domainOf(addresses[0] ?? '')} } }`, relay_domains: 'bounced.example' },
  ...{ virtual_uid_maps: `static:${uid}`, virtual_gid_maps: `static:${gid}`, virtual_mailbox_limit: '0' },
})

const settingsOf = (folder: string, mailboxes: Mailboxes | undefined): Readonly<Record<string, string>> => ({
  ...{ compatibility_level: '3.6', mail_owner: 'postfix', setgid_group: 'postdrop' },
  ...{ queue_directory: `${folder}/queue`, data_directory: `${folder}/data`, maillog_file: `${folder}/log`, maillog_file_prefixes: folder },
  ...{ inet_interfaces: 'loopback-only', inet_protocols: 'ipv4', mynetworks: '127.0.0.0/8', myhostname: 'server.caseway.example' },
  ...{ mydestination: '', alias_maps: '', alias_database: '', local_recipient_maps: '' },
  ...{ default_transport: 'discard', relay_domains: 'example', relay_transport: 'discard', smtpd_tls_security_level: 'none' },
  // All senders have one address here, so the limit of connections per client (default: 50) is lifted.
  ...{ smtpd_client_connection_count_limit: '0', default_process_limit: '200' },
  smtpd_recipient_restrictions:
    'check_recipient_access inline:{ { deferred.example = 450 4.2.0 Try again later } }, permit_mynetworks, reject',
  ...(mailboxes && deliveringTo(mailboxes)),
})

/** Lines of master.cf(5) for receiving and delivering, without chroot. */
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
    'virtual unix - n n - - virtual',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ],
]

/** Starts Postfix, which has to be installed (postfix). Needs root. */
export async function postfix({ mailboxes }: { mailboxes?: Mailboxes } = {}): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), 'postfix-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const { stdout: uid } = await run('id', ['-u', 'postfix'])
  for (const each of ['queue', 'data', 'etc']) await mkdir(join(folder, each))
  await chown(join(folder, 'data'), Number(uid), 0)
  const lines = Object.entries(settingsOf(folder, mailboxes)).map(([name, value]) => `${name} = ${value}`)
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
