import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { diskBlobStore, newBlobKey } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import { eventually, type TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { expect } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, rowOf } from './mail-servers.js'
import { officeWithMail } from './mailbox.js'
import { mailFolder } from './storage.js'

export interface Queued {
  readonly to?: readonly string[]
  readonly sendAt?: Date
  /** Null for lost bytes. */
  readonly bytes?: string | null
  /** The phase in which an earlier run has left the message. */
  readonly phase?: 'claimed' | 'dot'
}

export interface SentRow {
  readonly id: bigint
  readonly status: number
  readonly phase: string | null
  readonly error: string | null
  readonly attempts: number
  readonly fence: bigint
  readonly next_attempt_at: Date | null
  readonly sent_at: Date | null
  readonly msg_unique_identifier: string
}

export interface SendingMailbox {
  readonly id: number
  readonly office: TestTenant
  /** Queues messages with their bytes, without enqueuing a run. @returns their ids */
  queue(...messages: Queued[]): Promise<bigint[]>
  /** Enqueues a run of the mailbox. */
  send(): Promise<void>
  messages(): Promise<SentRow[]>
  recipients(id: bigint): Promise<{ address: string; state: string; error: string }[]>
  row(): Promise<Record<string, unknown>>
  /** Waits until the messages, in their order, have these states. */
  untilStatus(...status: number[]): Promise<SentRow[]>
  /** Waits until the mailbox has no present or future run. */
  untilIdle(): Promise<void>
}

export interface TestSending {
  readonly service: TestService
  /** The folder of the stored bytes. */
  readonly folder: string
  mailbox(fields: object): Promise<SendingMailbox>
  stop(): Promise<void>
}

const patience = { timeoutMs: 30_000 }

/** The service, with a storage of its own. */
export async function testSending(variables: Readonly<Record<string, string>> = {}): Promise<TestSending> {
  const storage = await mailFolder()
  const service = await testService(mail, {
    variables: { MAIL_ROLES: 'http,send', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1', MAIL_FOLDER: storage.folder, ...variables },
  })
  const blobs = diskBlobStore(storage.folder)
  const sends = (variables.MAIL_ROLES ?? 'send').includes('send')
  const { rows } = service.database

  return {
    ...{ service, folder: storage.folder },
    async mailbox(fields) {
      const office = officeWithMail(service)
      const http = service.asExpert(office.expert)
      const server = { server_protocol: 1, server_address: '127.0.0.1', server_encryption: 0, user_email: `${randomUUID()}@office.example` }
      const id = await createMailServer(http, { ...server, ...fields })
      // A new mailbox enqueues a run, which must end before the test begins.
      const unfinished = `SELECT id FROM kit.job WHERE name = 'mail-sending' AND key = '${id}' AND state <> 'done'`
      const untilIdle = () => eventually(async () => expect(await rows(unfinished)).toEqual([]), patience)
      if (sends) await untilIdle()
      const messages = () => rows<SentRow>(`SELECT * FROM mail_sent_messages WHERE mail_server_id = ${id} ORDER BY id`)
      return {
        ...{ id, office, messages, untilIdle },
        async queue(...queued) {
          const ids: bigint[] = []
          for (const message of queued) ids.push(await queueOne(service, blobs, { office, mailServerId: id, ...message }))
          return ids
        },
        async send() {
          const { status } = await http.post('/mail_command', { MailCommand: { command_id: 3, mail_server_id: id } })
          if (status !== 201) throw new Error(String(status))
        },
        recipients: (message) =>
          rows(`SELECT address, state, error FROM mail_sent_recipients WHERE sent_message_id = ${message} ORDER BY position`),
        row: async () => (await rowOf(service, id)) ?? {},
        untilStatus: (...status) =>
          eventually(async () => {
            const now = await messages()
            const are = now.map((one) => Number(one.status))
            if (are.join() !== status.join())
              throw new Error(`The messages are ${are.join()}, not ${status.join()}: ${now.map(({ error }) => error).join()}`)
            return now
          }, patience),
      }
    },
    async stop() {
      await service.stop()
      await storage.remove()
    },
  }
}

interface One extends Queued {
  readonly office: TestTenant
  readonly mailServerId: number | Id
}

type Blobs = ReturnType<typeof diskBlobStore>

async function queueOne(
  { database }: TestService,
  blobs: Blobs,
  { office, mailServerId, to = ['one@elsewhere.example'], ...message }: One,
) {
  const { sendAt = null, bytes, phase = null } = message
  const { customerId, expert } = office
  const messageId = `${randomBytes(8).toString('hex')}@office.example`
  const content = Buffer.from(bytes ?? `Message-ID: <${messageId}>\r\nSubject: Hello\r\n\r\nHello\r\n.\r\n`)
  const key = newBlobKey()
  if (bytes !== null) await blobs.put(key, Readable.from([content]))
  // In one statement, because the mailbox may be sending already.
  const [row] = await database.rows<{ id: bigint }>(
    `WITH message AS (
       INSERT INTO mail_sent_messages (customer_id, mail_server_id, user_id, status, phase, folder_name, send_at, msg_unique_identifier, blob_key, size)
       VALUES ($1, $2, $3, $4, $5, 'SENT', $6, $7, $8, $9) RETURNING id
     ), recipients AS (
       INSERT INTO mail_sent_recipients (customer_id, sent_message_id, position, kind, address)
       SELECT $1, message.id, position - 1, 'to', address FROM message, unnest($10::text[]) WITH ORDINALITY AS named (address, position)
     ) SELECT id FROM message`,
    [customerId, mailServerId, expert.userId, phase ? 1 : 0, phase, sendAt, messageId, key, content.length, to],
  )
  return (row as { id: bigint }).id
}
