import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { createDatabase, office } from '@caseway/kit/database'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { randomId, type TestTenant } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'
import { messageIds } from '../../src/composition/message-id.js'
import type { Db } from '../../src/database.js'
import { PrismaClient } from '../../src/generated/client.js'
import { wireMessages } from '../../src/messages.wiring.js'
import type { ParsedMail } from '../../src/parsing/parsed-mail.js'
import type { Announced, Arrived, Place, ReceivingMailbox, Stored } from '../../src/received-messages/arrivals/arrived-message.js'
import { type SystemFolder, systemFolder } from '../../src/received-messages/target-folder.js'
import { senderRepository } from '../../src/senders/sender.repository.js'

/** All rights to mail. */
export const mailRights = ['clients', 'offices', 'providers', 'leads'].map((name) => `mailbox.crm_folders.${name}`)
const personalRight = 'mailbox.personal_mailbox'

/** Message-IDs signed with a key of the tests. */
export const testMessageIds = messageIds((text) => [createHmac('sha256', 'a key of tests').update(text).digest()])

/** A dependency that storing does not use. */
const absent = {} as never

/** The intake without a mail server, on the database of a running service. */
export function receiver(database: { readonly url: string }) {
  const log = createLog({ service: 'mail', level: 'silent' })
  const db: Db = createDatabase({ url: database.url, client: PrismaClient, log, metrics: createMetrics('mail') })
  const enqueued: Id[] = []
  const { intake } = wireMessages(db, {
    hasRight: async () => true,
    ...{
      receiving: { enqueue: async (_, __, id) => void enqueued.push(id) },
      sending: absent,
      composition: { frozen: absent, ids: testMessageIds },
      maxAttachedBytes: 0,
    },
    senders: senderRepository(db),
    ...{ mailboxes: absent, blobs: absent, parser: absent, scanner: absent, cases: absent, sentences: absent, templateRecords: absent },
    timeZoneOf: async () => 'Europe/Warsaw',
  })
  return { db, intake, enqueued }
}

export type Receiver = ReturnType<typeof receiver>

export interface TestMailbox extends ReceivingMailbox {
  readonly remoteFolderId: Id
}

/** A mailbox of a user, with a folder on its server. */
export async function newMailbox({ db }: Receiver, { customerId }: Pick<TestTenant, 'customerId'>, userId: Id): Promise<TestMailbox> {
  return db.write(office(customerId), async (tx) => {
    const address = `box-${randomBytes(4).toString('hex')}@office.example`
    const { id } = await tx.mailServer.create({
      data: {
        ...{ customerId, userId, userName: 'Box', userEmail: address, userLogin: address },
        ...{ serverProtocol: 2, serverAddress: 'imap.example', serverPort: 993, serverEncryption: 2 },
      },
    })
    const folder = await tx.remoteFolder.create({ data: { customerId, mailServerId: id, path: `INBOX ${randomId()}` } })
    return { id, customerId, userId, address, fetchAfter: null, downloadAttachments: true, remoteFolderId: folder.id }
  })
}

let uid = 1n

export const placeIn = ({ remoteFolderId }: TestMailbox, specialUse: string | null = null): Place => ({
  ...{ remoteFolderId, epoch: 1, uid: uid++, specialUse },
})

const parsedMail = (fields: Partial<ParsedMail> = {}): ParsedMail => ({
  from: { address: 'sender@elsewhere.example', name: 'A Sender' },
  ...{ to: [], cc: [], subject: 'A subject', text: 'A text', html: null, attachments: [], date: null, messageId: null },
  ...{ inReplyTo: null, references: [], priority: 3, autoKind: null, report: null },
  ...fields,
})

export interface TestMessage extends Partial<ParsedMail> {
  readonly seen?: boolean
  readonly specialUse?: string | null
  readonly bytes?: string
  /** The size on its server. */
  readonly size?: number
  readonly partial?: boolean
  readonly internalDate?: Date
  readonly headers?: Readonly<Record<string, string>>
}

/** A message whose header is known. */
export function announced(
  mailbox: TestMailbox,
  { seen = false, specialUse = null, headers = {}, size = 100, internalDate, ...fields }: TestMessage,
): Announced {
  const mail = parsedMail(fields)
  const get = (name: string) => (headers[name.toLowerCase()] === undefined ? [] : [headers[name.toLowerCase()] as string])
  return { place: placeIn(mailbox, specialUse), size, internalDate: internalDate ?? new Date(), seen, headers: { ...mail, get } }
}

/** A message whose bytes are stored, with a decided folder. */
export function arrived(mailbox: TestMailbox, folder: SystemFolder | Stored['folder'], message: TestMessage = {}): Arrived {
  const { bytes = randomBytes(16).toString('hex') } = message
  const target = typeof folder === 'string' ? systemFolder(folder) : folder
  return {
    ...announced(mailbox, message),
    decision: { kind: 'store', folder: target, clientId: null, reason: { by: 'unknown', folder: 'OTHERS' } },
    ...{ blobKey: randomBytes(8).toString('hex'), sha256: createHash('sha256').update(bytes).digest() },
    ...{ parsed: parsedMail(message), partial: message.partial ?? false, silent: false },
  }
}

/** Stores messages in one transaction. */
export const store = ({ db, intake }: Receiver, mailbox: TestMailbox, ...messages: Arrived[]) =>
  db.write(office(mailbox.customerId), (tx) => intake.store(tx, mailbox, messages))

/** Stores one message, and returns its id. */
export async function storeOne(
  receiver: Receiver,
  mailbox: TestMailbox,
  folder: SystemFolder | Stored['folder'],
  message: TestMessage = {},
): Promise<Id> {
  const one = arrived(mailbox, folder, message)
  await store(receiver, mailbox, one)
  const where = { customerId: mailbox.customerId, remoteFolderId: one.place.remoteFolderId, epoch: 1, uid: one.place.uid }
  const { messageId } = await receiver.db.read(office(mailbox.customerId)).messageLocation.findFirstOrThrow({ where })
  return messageId as Id
}

/** An office whose users have the rights to mail besides their usual ones. */
export function officeWithMail(service: TestService): TestTenant {
  const tenant = service.office()
  for (const { userId } of [tenant.administrator, tenant.expert, tenant.specialist])
    service.auth.rights.set(userId, [...(service.auth.rights.get(userId) ?? []), ...mailRights, personalRight])
  service.auth.rights.set(tenant.trainee.userId, [personalRight])
  return tenant
}

/** The counts of an office, and the result of a recount. */
export async function countsOf({ database }: TestService, customerId: Id) {
  const kept = await database.rows<{ key: string; count: number }>(
    `SELECT concat_ws(' ', user_id, folder, folder_id) AS key, count FROM folder_counts WHERE customer_id = $1 AND count <> 0 ORDER BY 1`,
    [customerId],
  )
  const counted = await database.rows<{ key: string; count: number }>(recount, [customerId])
  const of = (rows: readonly { key: string; count: number }[]) => Object.fromEntries(rows.map(({ key, count }) => [key, count]))
  return { kept: of(kept), counted: of(counted) }
}

const recount = `
  SELECT key, count(*)::int AS count FROM (
    SELECT CASE
      WHEN folder_name = 'DRAFTS' THEN concat_ws(' ', message.user_id, folder_name, 0)
      WHEN is_read OR folder_name IN ('SENT', 'TRASH') THEN NULL
      WHEN folder_name = 'OTHERS' THEN concat_ws(' ', message.user_id, folder_name, 0)
      WHEN folder_name IS NOT NULL THEN concat_ws(' ', 0, folder_name, 0)
      ELSE concat_ws(' ', coalesce(folder.user_id, 0), 'CUSTOM', folder.id) END AS key
    FROM mail_received_messages AS message LEFT JOIN mail_folders AS folder ON folder.id = message.mail_folder_id
    WHERE message.customer_id = $1 AND NOT message.removed
    UNION ALL SELECT concat_ws(' ', user_id, folder_name, 0) FROM mail_sent_messages WHERE customer_id = $1 AND folder_name = 'DRAFTS'
  ) AS counted WHERE key IS NOT NULL GROUP BY key ORDER BY key`
