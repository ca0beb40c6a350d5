import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { HasRight, Routes } from '@caseway/kit/http'
import { objectService } from '@caseway/kit/objects'
import { wireAttachments } from './attachments/attachments.wiring.js'
import type { VirusScanner } from './attachments/virus-scanner.js'
import { bounceRepository } from './bounces/bounce.repository.js'
import { publishReceived, publishSent } from './changed-messages/changed-messages.repository.js'
import { messagesGrpc } from './changed-messages/messages.grpc.js'
import type { Composition } from './composition/composition.wiring.js'
import type { Db } from './database.js'
import { beginCount, changeFolderCounts, endCount, hideCount } from './folder-counts/folder-count.repository.js'
import { folderCountSnapshotGrpc } from './folder-counts/folder-count-snapshot.grpc.js'
import { folderCountSnapshotRepository } from './folder-counts/folder-count-snapshot.repository.js'
import { folderRecount } from './folder-counts/folder-recount.repository.js'
import type { CaseDirectory } from './linked-cases/case-directory.js'
import { wireLinkedCases } from './linked-cases/linked-cases.wiring.js'
import { wireMailFolderRules } from './mail-folder-rules/mail-folder-rules.wiring.js'
import { wireMailFolderSettings } from './mail-folder-settings/mail-folder-settings.wiring.js'
import { wireMailFolders } from './mail-folders/mail-folders.wiring.js'
import { sanitizedMailHtml } from './mail-html/sanitize-html.client.js'
import { wireMailSentences } from './mail-sentences/mail-sentences.wiring.js'
import type { SentenceDirectory } from './mail-sentences/sentence-directory.js'
import type { MailServerService } from './mail-servers/mail-server.service.js'
import { wireMailTemplates } from './mail-templates/mail-templates.wiring.js'
import type { TemplateRecords } from './mail-templates/template-records.js'
import type { MailParser } from './parsing/mail-parser.js'
import type { Receiving } from './received-messages/arrivals/arrived-message.js'
import type { SenderDirectory } from './received-messages/arrivals/intake.service.js'
import { recentMessageRepository } from './received-messages/arrivals/recent-message.repository.js'
import { recentMessages } from './received-messages/arrivals/recent-message.service.js'
import { joinThread } from './received-messages/arrivals/thread.repository.js'
import { emptiedFolder } from './received-messages/emptied-folder.repository.js'
import { wireReceivedMessages } from './received-messages/received-messages.wiring.js'
import type { Sending } from './sent-messages/sending.js'
import { sentCases } from './sent-messages/sent-case.repository.js'
import { wireSentMessages } from './sent-messages/sent-messages.wiring.js'

interface Parts {
  readonly hasRight: HasRight
  readonly mailboxes: Pick<MailServerService, 'find'>
  readonly receiving: Receiving
  readonly sending: Sending
  readonly composition: Composition
  readonly maxAttachedBytes: number
  readonly blobs: BlobStore
  readonly parser: MailParser
  readonly scanner: VirusScanner
  readonly cases: CaseDirectory
  readonly sentences: SentenceDirectory
  readonly senders: SenderDirectory
  readonly templateRecords: TemplateRecords
  /** The IANA name of the time zone of an office. */
  readonly timeZoneOf: (customerId: Id) => Promise<string>
}

/** Messages and folders, as users see them. `intake` is for the receiving engine. */
export function wireMessages(
  db: Db,
  { hasRight, mailboxes, receiving, sending, composition, maxAttachedBytes, blobs, senders, parser, scanner, cases, ...others }: Parts,
) {
  const settings = wireMailFolderSettings(db)
  const folders = wireMailFolders(db, {
    ...{ orderOf: settings.orderOf, emptied: emptiedFolder(changeFolderCounts, publishReceived), beginCount, hideCount, endCount },
  })
  const recent = recentMessages({ rows: recentMessageRepository(db), blobs, parser })
  const rules = wireMailFolderRules(db, { keepFolders: folders.keep, recent })
  const linked = wireLinkedCases(db, cases, sentCases(composition.ids), { publishReceived, publishSent })
  const messages = wireReceivedMessages(db, {
    ...{ publishReceived, changeFolderCounts, html: sanitizedMailHtml, rules: rules.rules, senders },
    ...{ keepFolders: folders.keep, receiving, bytes: blobs, hasRight, cases: linked.linkedCases },
    readReports: bounceRepository(composition.ids, publishSent),
  })
  const attachments = wireAttachments(db, { messages: messages.messages, blobs, parser, scanner })
  const sent = wireSentMessages(db, {
    ...{ changeFolderCounts, mailboxes, received: messages.messages, cases: linked.linkedCases, directory: senders, sending },
    ...{ ...composition, publishSent, joinThread, maxAttachedBytes },
  })
  const ofSentences = wireMailSentences(db, {
    ...{ ...composition, hasRight, add: sent.add, publishSent, maxAttachedBytes, sentences: others.sentences },
  })
  const templates = wireMailTemplates(db, { html: sanitizedMailHtml, records: others.templateRecords, cases: linked.linkedCases })
  const ofMessages = [messages.routes, attachments.routes, sent.routes, ofSentences.routes, templates.routes]
  const routes: Routes = [settings.routes, folders.routes, rules.routes, ...ofMessages]
  const jobs = [...folders.jobs, ...attachments.jobs, ...linked.jobs, ...ofSentences.jobs]
  const consumers = [...linked.consumers, ...ofSentences.consumers]
  const grpc = [
    messagesGrpc({ received: messages.shown, sent: sent.shown, timeZoneOf: others.timeZoneOf }),
    folderCountSnapshotGrpc(folderCountSnapshotRepository(db)),
    objectService({ MailReceivedMysqlMessage: messages.linkable, MailSentMysqlMessage: sent.linkable }),
  ]
  return {
    routes,
    jobs,
    grpc,
    consumers,
    recount: folderRecount(db, { change: changeFolderCounts, begin: beginCount, end: endCount }),
    intake: messages.intake,
  }
}
