import { messageTopic, sentMessageTopic } from '@caseway/protos/topics'
import type { SMTPServerOptions } from 'smtp-server'
import type { Script, ScriptedServer } from './scripted-server.js'
import type { SendingMailbox, TestSending } from './sending.js'
import type { TestSmtp } from './smtp-server.js'
import { testServers } from './test-servers.js'

export const minutesUntil = (time: Date | null) => (Number(time) - Date.now()) / 60_000

/** Mailboxes, each with a server of its own, which is stopped after the test. */
export function sendingMailboxes({ service, mailbox }: TestSending) {
  const servers = testServers()
  return {
    servers,
    async at(options?: SMTPServerOptions): Promise<{ smtp: TestSmtp; mailbox: SendingMailbox }> {
      const smtp = await servers.smtp(options)
      return { smtp, mailbox: await mailbox({ server_port: smtp.port }) }
    },
    async scripted(script: Script): Promise<{ server: ScriptedServer; mailbox: SendingMailbox }> {
      const server = await servers.serving(script)
      return { server, mailbox: await mailbox({ server_port: server.port }) }
    },
    rows: (sql: string) => service.database.rows(sql),
    /** The messages of a mailbox whose authors were notified that they could not be sent. */
    async notified({ office }: SendingMailbox) {
      const all = (await service.published(sentMessageTopic)).map(({ event }) => event)
      return all
        .filter(({ customerId, userId }) => customerId === office.customerId && userId === office.expert.userId)
        .map(({ id }) => String(id))
    },
    /** The number of events about a message. */
    async shown(id: bigint) {
      const all = await service.published(messageTopic)
      return all.filter(({ event: { sentIds } }) => sentIds.includes(BigInt(id))).length
    },
  }
}
