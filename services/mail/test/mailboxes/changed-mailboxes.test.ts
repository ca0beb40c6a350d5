import { office } from '@caseway/kit/database'
import type { Run } from '@caseway/kit/jobs'
import type { TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, expect, it } from '@jest/globals'
import type { Mailbox } from '../../src/mail-connections/mailbox-access.js'
import { type FolderSyncParts, folderSync } from '../../src/receiving/folders/folder-sync.service.js'
import { remoteFolderRepository } from '../../src/receiving/folders/remote-folder.repository.js'
import { type MailboxSyncParts, mailboxSync } from '../../src/receiving/mailboxes/mailbox-sync.service.js'
import type { MailboxSource } from '../../src/receiving/sources/mailbox-source.js'
import { createMailServer, rowOf } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let id: number
beforeEach(async () => {
  here = officeWithMail(service)
  id = await createMailServer(service.asExpert(here.expert))
})

const change = (changes: object) => service.asExpert(here.expert).put(`/mail_server/${id}`, { MailServer: changes })
const folders = () =>
  service.database.rows<{ path: string }>(`SELECT path, compared_at FROM remote_folders WHERE mail_server_id = ${id} ORDER BY id`)

/** Receives the mailbox from a server with two folders. @param meanwhile runs while the first folder is received */
async function receive(meanwhile: () => Promise<unknown>, begins = async () => {}) {
  const { customerId } = here
  const row = await rowOf(service, id)
  const mailbox = {
    id: BigInt(id),
    customerId,
    state: 'active',
    serverProtocol: 2,
    serverAddress: row?.server_address,
    userLogin: row?.user_login,
    fetchAfterDate: null,
  }
  const log: string[] = []
  const stateOf = (path: string) => ({ path, specialUse: null, uidValidity: 7n, uidNext: 1n, highestModseq: null, messages: 0 })
  const source = {
    canWait: false,
    folders: async () => {
      await begins()
      return ['INBOX', 'Work'].map(stateOf)
    },
    isThere: () => true,
    async select(path: string) {
      log.push(path)
      if (path === 'INBOX') await meanwhile()
      return true
    },
    uids: async () => [],
    seenSince: async () => [],
    close: async () => undefined,
  } as unknown as MailboxSource
  const rows = remoteFolderRepository(engine.db)
  const fetch = { async fetch() {} }
  const run = {
    signal: new AbortController().signal,
    checkpoint: (_: unknown, work: (tx: object) => Promise<unknown>) => engine.db.write(office(customerId), work),
    finish: async () => void log.push('again'),
  } as unknown as Run<unknown>
  const sync = mailboxSync({
    ...{ folders: rows, timeZoneOf: async () => 'UTC', intervalMs: 5000, open: async () => source },
    folderSync: folderSync({ folders: rows, intake: engine.intake, fetch } as unknown as FolderSyncParts),
    mailboxes: { toOpen: async () => mailbox as unknown as Mailbox, refused: async () => undefined },
    health: { succeeded: async () => void log.push('received') },
    wakes: { next: () => new AbortController().signal, forget: () => undefined },
  } as unknown as MailboxSyncParts)
  await sync.run(run, customerId, BigInt(id))
  return log
}

it('a mailbox has all of the folders of its server', async () => {
  expect(await receive(async () => undefined)).toEqual(['INBOX', 'Work', 'received', 'again'])
  expect(await folders()).toMatchObject([
    { path: 'INBOX', compared_at: expect.any(Date) },
    { path: 'Work', compared_at: expect.any(Date) },
  ])
})

it.each([
  ['another login', { user_login: 'bea' }],
  ['another server', { server_address: 'imap.elsewhere.example', user_password: 'x' }],
])('a mailbox that gets %s while it is received stores no more messages of the old account', async (_, changes) => {
  expect(await receive(() => change(changes))).toEqual(['INBOX', 'again'])
  expect(await folders()).toEqual([])
})

it('a mailbox that gets another login before its folders are stored gets none of the old account', async () => {
  expect(
    await receive(
      async () => undefined,
      async () => void (await change({ user_login: 'bea' })),
    ),
  ).toEqual(['again'])
  expect(await folders()).toEqual([])
})

it('a mailbox whose new login is not yet committed when its folders are listed gets none of the old account', async () => {
  const held = await holdTransaction(service.database, "UPDATE mail_servers SET user_login = 'bea' WHERE id = $1", [id])
  const received = receive(async () => undefined)
  await untilWaiting(service.database, 1)
  await held.commit()
  expect(await received).toEqual(['again'])
  expect(await folders()).toEqual([])
})

it('a mailbox that is deleted while it is received stores no more messages', async () => {
  expect(await receive(() => service.asExpert(here.expert).delete(`/mail_server/${id}`))).toEqual(['INBOX', 'again'])
  expect(await folders()).toEqual([])
})

it('a mailbox that gets another name while it is received is received to its end', async () => {
  expect(await receive(() => change({ user_name: 'Bea' }))).toEqual(['INBOX', 'Work', 'received', 'again'])
  expect(await folders()).toHaveLength(2)
})
