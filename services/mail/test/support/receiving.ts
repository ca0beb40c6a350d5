import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, type TestTenant } from '@caseway/testing'
import { testService } from '@caseway/testing/service'
import { expect } from '@jest/globals'
import { ImapFlow } from 'imapflow'
import { mail } from '../../src/wiring.js'
import { rowOf } from './mail-servers.js'
import { officeWithMail } from './mailbox.js'

export interface StoredMessage {
  readonly id: bigint
  readonly sha256: string
  readonly blob_key: string
  readonly is_read: boolean
  readonly parse_state: string
  readonly mail_subject: string
}

/** The subject of a message that the database refuses. */
export const poison = 'Poison'

const start = (variables: Readonly<Record<string, string>>) => testService(mail, { variables })

/** The service with a mail server. */
export interface TestReceiving {
  readonly service: Awaited<ReturnType<typeof start>>
  /** The folder with the bytes of messages. */
  readonly folder: string
  /** A new mailbox, with an IMAP connection of its owner. */
  mailbox(changes?: object): Promise<TestMailbox>
  stop(): Promise<void>
}

export interface TestMailbox {
  readonly id: bigint
  readonly office: TestTenant
  readonly user: string
  readonly imap: ImapFlow
  /** All stored messages, in their order. */
  stored(): Promise<StoredMessage[]>
  /** The SHA-256 of the stored messages, sorted. */
  digests(): Promise<string[]>
  /** The subjects of the stored messages, in their order. */
  subjects(): Promise<string[]>
  /** The stored bytes of a message. */
  bytesOf(message: Pick<StoredMessage, 'blob_key'>): Promise<Buffer>
  /** Receives the mailbox now (command 2). */
  receive(): Promise<void>
  /** The number of places of its messages on the server. */
  places(): Promise<number>
  row(): Promise<Record<string, unknown>>
}

/** The parts of a mail server that a mailbox needs. */
interface MailHost {
  readonly host: string
  readonly ports: { readonly imap: number }
  readonly password: string
}

export async function testReceiving(server: MailHost, more: Readonly<Record<string, string>> = {}): Promise<TestReceiving> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-mail-'))
  const variables = { MAIL_FOLDER: folder, OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_FETCH_INTERVAL_SECONDS: '5', ...more }
  const service = await start(variables)
  await service.database.rows(`ALTER TABLE mail_received_messages ADD CONSTRAINT poison CHECK (mail_subject <> '${poison}')`)
  const connections: ImapFlow[] = []

  return {
    ...{ service, folder },
    async mailbox(changes = {}) {
      const office = officeWithMail(service)
      const user = randomUUID()
      const imap = await signedIn(server, user)
      connections.push(imap)
      const body = {
        ...{ user_name: 'Ann', user_email: `${user}@caseway.test`, user_login: user, user_password: server.password, server_protocol: 2 },
        ...{ server_address: server.host, server_port: server.ports.imap, server_encryption: '0', server_secure: '0', ...changes },
      }
      const http = service.asExpert(office.expert)
      const created = await http.post<{ id: number }>('/mail_server', { MailServer: body })
      if (created.status !== 201) throw new Error(JSON.stringify(created.body))
      const id = BigInt(created.body.id)
      const rows = service.database.rows
      const stored = () =>
        rows<StoredMessage>(
          `SELECT id, encode(sha256, 'hex') AS sha256, blob_key, is_read, parse_state, mail_subject
           FROM mail_received_messages WHERE mail_server_id = ${id} ORDER BY id`,
        )
      return {
        ...{ id, office, user, imap, stored },
        digests: async () => (await stored()).map(({ sha256 }) => sha256).sort(),
        subjects: async () => (await stored()).map(({ mail_subject }) => mail_subject),
        bytesOf: ({ blob_key: key }) => readFile(join(folder, key.slice(0, 2), key.slice(2, 4), key)),
        async receive() {
          const { status } = await http.post('/mail_command', { MailCommand: { command_id: 2, mail_server_id: created.body.id } })
          if (status !== 201) throw new Error(String(status))
        },
        places: async () => {
          const [counted] = await rows<{ count: bigint }>(
            `SELECT count(*) FROM message_locations JOIN remote_folders ON remote_folder_id = remote_folders.id AND message_locations.epoch = remote_folders.epoch
             WHERE mail_server_id = ${id}`,
          )
          return Number(counted?.count)
        },
        row: async () => (await rowOf(service, id)) ?? {},
      }
    },
    async stop() {
      for (const imap of connections) imap.close()
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function signedIn({ host, ports, password }: MailHost, user: string): Promise<ImapFlow> {
  const imap = new ImapFlow({
    ...{ host, port: ports.imap, secure: false, doSTARTTLS: false, logger: false, auth: { user, pass: password } },
  })
  imap.on('error', () => undefined)
  await imap.connect()
  return imap
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Waits until a mailbox has stored these messages, and no other ones, byte for byte. */
export const untilStored = (mailbox: TestMailbox, sent: readonly Buffer[]) =>
  eventually(async () => expect(await mailbox.digests()).toEqual(sent.map(sha256Of).sort()), { timeoutMs: 40_000 })

/** Waits until a mailbox has stored this number of messages, and returns them. */
export const untilCount = (mailbox: TestMailbox, count: number, patience: { timeoutMs: number }) =>
  eventually(async () => {
    const stored = await mailbox.stored()
    expect(stored).toHaveLength(count)
    return stored
  }, patience)
