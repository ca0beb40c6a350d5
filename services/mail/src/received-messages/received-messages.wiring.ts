import { type HasRight, type Routes, recordEncoder } from '@caseway/kit/http'
import { linkableMessages } from '../attached-files/linkable-messages.service.js'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import type { ChangeFolderCounts } from '../folder-counts/folder-count.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import type { MailHtml } from '../mail-html/mail-html.js'
import { arrivalRepository } from './arrivals/arrival.repository.js'
import type { Receiving } from './arrivals/arrived-message.js'
import { intakeService, type RuleBook, type SenderDirectory } from './arrivals/intake.service.js'
import { newMessageRepository, type ReadReports } from './arrivals/new-message.repository.js'
import { vanishedDraftRepository } from './arrivals/vanished-draft.repository.js'
import { mailReaders } from './mail-reader.js'
import type { MessageBytes } from './message-bytes.js'
import { messageBytesRoutes } from './message-bytes.routes.js'
import { receivedMessageRepository } from './received-message.repository.js'
import { listedMessageResource } from './received-message.resource.js'
import { receivedMessageRoutes } from './received-message.routes.js'
import { type KeepFolders, receivedMessageService } from './received-message.service.js'
import { seenRepository } from './seen.repository.js'

export interface ReceivedMessageWiring {
  readonly publishReceived: PublishReceived<Tx>
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly html: MailHtml
  readonly rules: RuleBook
  readonly senders: SenderDirectory
  readonly keepFolders: KeepFolders
  readonly receiving: Receiving
  readonly bytes: MessageBytes
  readonly hasRight: HasRight
  readonly cases: LinkedCases
  readonly readReports: ReadReports
}

/** Received messages: their intake, and what users do with them. */
export function wireReceivedMessages(db: Db, { changeFolderCounts, html, rules, senders, keepFolders, ...parts }: ReceivedMessageWiring) {
  const { receiving, publishReceived, bytes, hasRight, cases, readReports } = parts
  const flags = seenRepository(changeFolderCounts, publishReceived)
  const { seen, toSet } = flags
  const drafts = vanishedDraftRepository(changeFolderCounts, publishReceived)
  const newMessages = newMessageRepository(html, { readReports, publishReceived, changeFolderCounts, cases })
  const { store, discard } = arrivalRepository({ newMessages, flags, drafts })
  const rows = receivedMessageRepository(db, { toSet, receiving, publishReceived, changeFolderCounts, cases })
  const messages = receivedMessageService({ messages: rows, readerOf: mailReaders(hasRight), keepFolders, cases })
  const routes: Routes = [receivedMessageRoutes(messages), messageBytesRoutes(messages, bytes)]
  const shown = { some: messages.some, encode: recordEncoder(listedMessageResource) }
  const linkable = linkableMessages({
    linkable: rows.linkable,
    sees: async (employee, id) => (await messages.some(employee, [id])).found.length > 0,
  })
  return {
    routes,
    messages,
    shown,
    linkable,
    intake: intakeService({ rules, senders, store, discard, seen, draftsVanished: drafts.vanish }),
  }
}
