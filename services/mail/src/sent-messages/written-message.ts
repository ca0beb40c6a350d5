import type { Id } from '@caseway/kit/caller'
import type { FrozenBytes } from '../composition/frozen-message.service.js'
import type { SentFolder, State } from './sent-message.js'
import type { Recipient } from './sent-recipient.js'

/** A message as its author wrote it. */
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
  /** A JSON list of ids as texts. */
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

/** The received message to which a message replies. */
export interface AnsweredMessage {
  readonly customerId: Id
  readonly mailServerId: Id
  readonly mailThreadId: Id
  readonly issueId: Id | null
  readonly msgUniqueIdentifier: string | null
  /** The Message-ID of the message that it answers itself. */
  readonly inReplyToMsgUid: string | null
  /** Message-IDs separated by spaces. */
  readonly reference: string
}

/** The stored bytes of a message, with the conversation that it continues. */
export interface FrozenMessage extends FrozenBytes {
  readonly msgUniqueIdentifier: string
  readonly answered: AnsweredMessage | undefined
}

/** The properties on which the bytes of a message depend. */
export const contentOf = (message: Omit<WrittenMessage, 'recipients' | 'clientId' | 'status' | 'folderName' | 'sendAt' | 'issueId'>) => [
  ...[message.mailServerId, message.mailSubject, message.mailBody, message.priority, message.requestReadReceipt],
  ...[message.addSignature, message.replyToMessageId, message.commonFileIds],
]

/** The properties of recipients on which the bytes, or their delivery, depend. */
export const addressed = (recipients: readonly Recipient[]) => recipients.map(({ kind, address, name }) => [kind, address, name])

/** Message-IDs that can be written into a header. */
const headerId = /^[!-;=?-~]{1,500}$/

/** The most references: the first and the last ones (RFC 5322, 3.6.4). */
const maxReferences = 50

type NamingMessage = Pick<AnsweredMessage, 'msgUniqueIdentifier' | 'inReplyToMsgUid' | 'reference'>

/** The Message-IDs for the header of an answer (RFC 5322, 3.6.4). Invalid ones of received messages are left out. */
export function threadOf(answered: NamingMessage | undefined) {
  const id = answered?.msgUniqueIdentifier
  const inReplyTo = id && headerId.test(id) ? id : null
  const before = answered?.reference || answered?.inReplyToMsgUid || ''
  const known = before.split(' ').filter((each) => headerId.test(each) && each !== inReplyTo)
  const references = [...known, ...(inReplyTo === null ? [] : [inReplyTo])]
  return {
    inReplyTo,
    references: references.length > maxReferences ? [...references.slice(0, 1), ...references.slice(1 - maxReferences)] : references,
  }
}
