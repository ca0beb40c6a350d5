import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryHome } from './launcher.js'

const execute = promisify(execFile)

/** nobody:nogroup of Debian, because some peers do not deliver mail as root. */
const account = { uid: 65_534, gid: 65_534 }

/** An account of a plain-text IMAP server. */
export interface MailAccount {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** Programs that fetch a whole INBOX into a folder, and leave the messages on the server. */
export const mailPeers = {
  'mbsync without fsync': (account: MailAccount) => mbsync(account, 'no'),
  mbsync: (account: MailAccount) => mbsync(account, 'yes'),
  fetchmail,
  getmail6,
  offlineimap,
}

async function mbsync({ host, port, user, password }: MailAccount, fsync: 'yes' | 'no'): Promise<void> {
  const { folder, write, run } = workplace()
  const file = write(
    'mbsyncrc',
    `FSync ${fsync}
IMAPAccount bench
Host ${host}
Port ${port}
User ${user}
Pass ${password}
SSLType None
AuthMechs LOGIN

IMAPStore there
Account bench

MaildirStore here
Path ${folder}/
Inbox ${folder}/inbox

Channel bench
Far :there:INBOX
Near :here:INBOX
Sync Pull New
Create Near
SyncState *
`,
  )
  await run('mbsync', ['--quiet', '--config', file, 'bench'])
}

/** fetchmail delivers by SMTP; here into a BSMTP file, which is the cheapest way. */
async function fetchmail({ host, port, user, password }: MailAccount): Promise<void> {
  const { folder, write, run } = workplace()
  const file = write(
    'fetchmailrc',
    `poll ${host} protocol imap port ${port} auth password user "${user}" password "${password}" fetchall keep no rewrite sslproto "" bsmtp "${folder}/messages"\n`,
  )
  await run('fetchmail', ['--silent', '--nodetach', '--fetchmailrc', file])
}

async function getmail6({ host, port, user, password }: MailAccount): Promise<void> {
  const { folder, write, run } = workplace()
  for (const each of ['inbox', 'inbox/cur', 'inbox/new', 'inbox/tmp']) makeFolder(join(folder, each))
  const file = write(
    'getmailrc',
    `[retriever]
type = SimpleIMAPRetriever
server = ${host}
port = ${port}
username = ${user}
password = ${password}
mailboxes = ("INBOX",)

[destination]
type = Maildir
path = ${folder}/inbox/

[options]
delete = false
read_all = true
delivered_to = false
received = false
`,
  )
  await run('getmail', ['--quiet', `--getmaildir=${folder}`, `--rcfile=${file}`])
}

async function offlineimap({ host, port, user, password }: MailAccount): Promise<void> {
  const { folder, write, run } = workplace()
  const file = write(
    'offlineimaprc',
    `[general]
accounts = bench
metadata = ${folder}/metadata
[Account bench]
localrepository = here
remoterepository = there
[Repository here]
type = Maildir
localfolders = ${folder}/mail
[Repository there]
type = IMAP
remotehost = ${host}
remoteport = ${port}
remoteuser = ${user}
remotepass = ${password}
ssl = no
starttls = no
auth_mechanisms = LOGIN
readonly = yes
folderfilter = lambda name: name == 'INBOX'
`,
  )
  await run('offlineimap', ['-o', '-u', 'quiet', '-c', file])
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chownSync(path, account.uid, account.gid)
}

/** Creates the folder in which one program runs; it is also its home. */
function workplace() {
  const folder = temporaryHome()
  makeFolder(folder)
  return {
    folder,
    write(name: string, content: string): string {
      const file = join(folder, name)
      writeFileSync(file, content, { mode: 0o600 })
      chownSync(file, account.uid, account.gid)
      return file
    },
    async run(program: string, args: readonly string[]): Promise<void> {
      const env = { PATH: process.env.PATH, HOME: folder, FETCHMAILHOME: folder }
      await execute(program, args, { ...account, cwd: folder, env })
    },
  }
}
