import type { Id } from '@caseway/kit/caller'
import type { FrozenBytes } from '../composition/frozen-message.service.js'
import type { SentFolder, State } from './sent-message.js'
import type { Recipient } from './sent-recipient.js'

/** What somebody has written. */
export interface WrittenMessage {
  readonly mailServerId: Id
  readonly clientId: Id | null
  readonly mailSubject: string
  readonly mailBody: string
  readonly addSignature: boolean
  readonly status: State
  readonly folderName: SentFolder
  readonly sendAt: Date | null
  readonly priority: number
  readonly requestReadReceipt: boolean
  readonly replyToMessageId: Id | null
  readonly issueId: Id | null
  /** JSON: ids as texts. */
  readonly commonFileIds: string
  readonly recipients: readonly Recipient[]
}

/** A mailbox that sends. */
export interface SendingMailbox {
  readonly userId: Id
  readonly userName: string
  readonly userEmail: string
  readonly replyTo: string
  readonly signature: string
  readonly serverProtocol: number
  readonly priority: number
  readonly requestReadReceipt: boolean
}

/** A received message that is answered. */
export interface AnsweredMessage {
  readonly customerId: Id
  readonly mailServerId: Id
  readonly mailThreadId: Id
  readonly issueId: Id | null
  readonly msgUniqueIdentifier: string | null
  /** The Message-ID of what it answers itself. */
  readonly inReplyToMsgUid: string | null
  /** Message-IDs divided by spaces. */
  readonly reference: string
}

/** A message that is written down, with the conversation that it continues. */
export interface FrozenMessage extends FrozenBytes {
  readonly msgUniqueIdentifier: string
  readonly answered: AnsweredMessage | undefined
}

/** What the bytes of a message depend on. */
export const contentOf = (message: Omit<WrittenMessage, 'recipients' | 'clientId' | 'status' | 'folderName' | 'sendAt' | 'issueId'>) => [
  ...[message.mailServerId, message.mailSubject, message.mailBody, message.priority, message.requestReadReceipt],
  ...[message.addSignature, message.replyToMessageId, message.commonFileIds],
]

/** What of recipients the bytes depend on, and whether they get them. */
export const addressed = (recipients: readonly Recipient[]) => recipients.map(({ kind, address, name }) => [kind, address, name])

/** Message-IDs that can stand in a header. */
const headerId = /^[!-;=?-~]{1,500}$/

/** As many as are named: the first, and the last ones (RFC 5322, 3.6.4). */
const mostReferences = 50

type NamingMessage = Pick<AnsweredMessage, 'msgUniqueIdentifier' | 'inReplyToMsgUid' | 'reference'>

/** The Message-IDs that an answer names (RFC 5322, 3.6.4). Those of others are as strange as they may be. */
export function threadOf(answered: NamingMessage | undefined) {
  const id = answered?.msgUniqueIdentifier
  const inReplyTo = id && headerId.test(id) ? id : null
  const before = answered?.reference || answered?.inReplyToMsgUid || ''
  const known = before.split(' ').filter((each) => headerId.test(each) && each !== inReplyTo)
  const references = [...known, ...(inReplyTo === null ? [] : [inReplyTo])]
  return {
    inReplyTo,
    references: references.length > mostReferences ? [...references.slice(0, 1), ...references.slice(1 - mostReferences)] : references,
  }
}
