import { resealColumns } from '@caseway/kit/database'
import { rememberedRights } from '@caseway/kit/rights'
import { createSecrets } from '@caseway/kit/secrets'
import { defineService } from '@caseway/kit/service'
import { blobStoreOf } from '@caseway/kit/storage'
import { authDirectory, copiedOffices, copiedUsers } from '@caseway/people'
import type { CustomerEvent } from '@caseway/protos/auth/v1/events'
import { callersOf } from '@caseway/registry'
import { filesVirusScanner } from './attachments/files-virus-scanner.client.js'
import { publishSent } from './changed-messages/changed-messages.repository.js'
import { wireComposition } from './composition/composition.wiring.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { grpcCaseDirectory } from './linked-cases/grpc-case-directory.client.js'
import { wireMailCommands } from './mail-commands/mail-commands.wiring.js'
import { wireMailConnections } from './mail-connections/mail-connections.wiring.js'
import type { MailQueue } from './mail-connections/mail-queue.js'
import { wireMailGrants } from './mail-grants/mail-grants.wiring.js'
import { sanitizedMailHtml } from './mail-html/sanitize-html.client.js'
import { grpcSentenceDirectory } from './mail-sentences/grpc-sentence-directory.client.js'
import { wireMailServers } from './mail-servers/mail-servers.wiring.js'
import { pauseMailboxesOf } from './mail-servers/mailboxes-of-leavers.repository.js'
import { grpcTemplateRecords } from './mail-templates/grpc-template-records.client.js'
import { wireMailboxSafety } from './mailbox-safety/mailbox-safety.wiring.js'
import { wireMessages } from './messages.wiring.js'
import { threadedMailParser } from './parsing/threaded-mail-parser.client.js'
import { traceRetention } from './received-messages/trace-retention.js'
import { enqueueBackfill } from './receiving/backfills/backfill.job.js'
import { deleteFolders, replay, resync } from './receiving/folders/resync.repository.js'
import { enqueueSync } from './receiving/mailboxes/mailbox-sync.job.js'
import { wireReceiving } from './receiving/receiving.wiring.js'
import { wireSenderDomains } from './sender-domains/sender-domains.wiring.js'
import { grpcContactDirectory } from './senders/grpc-contact-directory.client.js'
import { wireSenders } from './senders/senders.wiring.js'
import { sendAnew, sendNow } from './sending/queued-message.repository.js'
import { enqueueSending } from './sending/sending.job.js'
import { wireSending } from './sending/sending.wiring.js'
import { tables } from './tables.js'

/** What mailboxes and their commands ask of receiving and sending. */
const queue: MailQueue = {
  receive: enqueueSync,
  resync,
  replay,
  deleteFolders,
  backfill: enqueueBackfill,
  sendNow,
  sendAnew,
  giveUp: enqueueSending,
}

export const mail = defineService({
  name: 'mail',
  config,
  client: PrismaClient,
  tables,

  /** Builds all parts, and passes each the parts that it uses. */
  async wire({ db, config, peer, onClose, metrics }) {
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone, { also: ofOffices })
    const users = copiedUsers(db, auth, { onInactive: pauseMailboxesOf(db) })
    const secrets = createSecrets('mail', config)
    const hasRight = rememberedRights(auth.rightsOf)
    const blobs = await blobStoreOf(config)
    const parser = threadedMailParser()
    onClose('threads of the parser', parser.close)
    const connections = wireMailConnections(config)
    const { grants, ...ofGrants } = wireMailGrants(db, { secrets, config, onClose })
    const composition = await wireComposition({ config, secrets, blobs, peer, onClose })
    const mailServers = wireMailServers(db, {
      ...{ secrets, config, queue, grants, probe: connections.probe, html: sanitizedMailHtml },
      senderDomains: wireSenderDomains({ config, keys: composition.keys }),
    })
    const { mailboxes } = mailServers
    const sealed = [...mailServers.sealed, ...ofGrants.sealed]
    const mailCommands = wireMailCommands(db, { queue, keepMailboxes: mailServers.keep, mailboxes, hasRight })
    const senders = wireSenders(db, auth, grpcContactDirectory({ peer, onClose }))
    const [scanner, cases] = [filesVirusScanner({ peer, onClose }), grpcCaseDirectory({ peer, onClose })]
    const messages = wireMessages(db, {
      ...{ hasRight, timeZoneOf: offices.timeZoneOf, mailboxes, receiving: { enqueue: enqueueSync }, sending: { enqueue: enqueueSending } },
      ...{ composition, maxAttachedBytes: config.attachedBytes, senders: senders.senders, blobs, parser, scanner, cases },
      sentences: grpcSentenceDirectory({ peer, onClose }),
      templateRecords: grpcTemplateRecords({ peer, onClose }),
    })
    const receiving = wireReceiving(db, {
      ...{ config, mailboxes, ...connections, intake: messages.intake, blobs, parser, metrics, timeZoneOf: offices.timeZoneOf },
    })
    const sending = wireSending(db, {
      config,
      mailboxes,
      ...connections,
      ...connections.smtp,
      ...{ health: receiving.health, blobs, metrics, publishSent },
    })

    return {
      sealed,
      parts: [...receiving.parts, ...sending.parts],
      routes: { expert: [mailServers.routes, mailCommands.routes, messages.routes], client: [] },
      timeZoneOf: offices.timeZoneOf,
      hasRight,
      grpc: { callers: callersOf('mail'), services: messages.grpc },
      jobs: [...receiving.jobs, ...sending.jobs, ...messages.jobs, ...ofGrants.jobs, ...wireMailboxSafety(db, config.roles)],
      retention: traceRetention(config.traceRetentionDays),
      copies: [offices.copy, users.copy, ...senders.copies],
      consumers: [...senders.consumers, ...messages.consumers],
      blobs,
      administration: {
        /** Encrypts with the present secret what a previous one has encrypted. */
        reseal: () => resealColumns(db, sealed),
        mailboxes: mailServers.administration,
        recount: messages.recount,
        hasOffice: offices.exists,
      },
    }
  },
})

/** The columns of an office that are copied besides its time zone. */
const ofOffices = ({ email, sentencesByMail, closed }: CustomerEvent) => ({ email, sentences_by_mail: sentencesByMail, closed })
