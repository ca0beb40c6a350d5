import type { Id } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { FrozenMessages } from '../composition/frozen-message.service.js'
import type { MessageIds } from '../composition/message-id.js'
import type { Tx } from '../database.js'
import type { AddMessage } from '../sent-messages/added-message.js'
import { states } from '../sent-messages/sent-message.js'
import { threadOf, type WrittenMessage } from '../sent-messages/written-message.js'
import { continued, fitting, htmlOf, longestScanMs, type SentenceReason } from './mail-sentence.js'
import type { MailSentenceRepository } from './mail-sentence.repository.js'
import type { SentenceDirectory, SentSentence } from './sentence-directory.js'

interface Parts {
  readonly rows: Pick<MailSentenceRepository, 'waiting' | 'isWanted' | 'clientOf' | 'mailboxesFor' | 'conversation' | 'lock' | 'become'>
  readonly hasRight: HasRight
  readonly sentences: SentenceDirectory
  readonly add: AddMessage
  readonly frozen: FrozenMessages
  readonly ids: Pick<MessageIds, 'make'>
  /** The most bytes of all files of a message together. */
  readonly maxAttachedBytes: number
}

type End = (tx: Tx) => Promise<void>

/** The right to read what all others write to clients. */
const rightToRead = 'replies.approve'

/** Makes messages of the sentences that employees send to clients in cases. */
export const mailing = ({ rows, hasRight, sentences, add, frozen, ids, maxAttachedBytes }: Parts) => {
  /**
   * The clean files of a sentence, as many as fit.
   * @param since when the sentence was stored
   * @throws AppError `unavailable` while a virus scan may still end in time
   */
  const filesOf = async (customerId: Id, { files }: SentSentence, since: Date) => {
    const isLate = Date.now() - since.valueOf() > longestScanMs
    if (!isLate && files.some(({ pending }) => pending)) throw unavailable(new Error('The virus scan of a file has not ended.'))
    const heads = await Promise.all(files.map(async ({ commonFileId: id }) => ({ id, head: await frozen.head(customerId, id) })))
    return fitting(
      heads.flatMap(({ id, head }) => (typeof head === 'string' ? [] : [{ id, ...head }])),
      maxAttachedBytes,
    )
  }

  /**
   * The mailbox that sends. Anybody may connect a mailbox with the address of the office: it is used for other authors only if its owner may read
   * what they write.
   */
  const mailboxOf = async (customerId: Id, authorId: Id) => {
    for (const mailbox of await rows.mailboxesFor(customerId, authorId)) {
      const { userId } = mailbox
      if (userId === authorId || (await hasRight({ customerId, userId }, rightToRead))) return mailbox
    }
    return undefined
  }

  const messageOf = async (customerId: Id, sentence: SentSentence, since: Date): Promise<SentenceReason | ((tx: Tx) => Promise<void>)> => {
    const { issueId, clientId } = sentence
    if (clientId === null) return 'no_client'
    const client = await rows.clientOf(customerId, clientId)
    if (client && client.address === '') return 'no_address'
    if (!client?.known) return 'client_not_linked'
    const mailbox = await mailboxOf(customerId, sentence.speakerId)
    if (!mailbox) return 'no_mailbox'
    const files = await filesOf(customerId, sentence, since)
    const { thread, answered } = continued(await rows.conversation({ customerId, issueId, clientId }))
    const { id: mailServerId, userId, userEmail: address, priority, requestReadReceipt } = mailbox
    const messageId = ids.make(customerId, address)
    const to = { kind: 'to' as const, address: client.address, name: '' }
    const message: WrittenMessage = {
      ...{ mailServerId, clientId, issueId, recipients: [to], status: states.queued, folderName: 'SENT', sendAt: null },
      ...{ mailSubject: sentence.subject, mailBody: htmlOf(sentence.body), replyToMessageId: null, priority, requestReadReceipt },
      addSignature: true,
      commonFileIds: JSON.stringify(files.map(({ id }) => String(id))),
    }
    const headers = { ...threadOf(thread), from: { name: mailbox.userName, address }, replyTo: mailbox.replyTo, to: [to], cc: [] }
    const { mailSubject: subject, mailBody: html } = message
    const written = { subject, html, signature: mailbox.signature, priority, requestReadReceipt }
    const bytes = await frozen.freeze(customerId, { messageId, date: new Date(), ...headers, ...written }, files)
    const reason = files.length < sentence.files.length ? ('files_left_out' as const) : null
    return async (tx) => {
      const mailSentMessageId = await add(tx, { customerId, userId }, message, {
        ...bytes,
        msgUniqueIdentifier: messageId,
        answered,
      })
      await rows.become(tx, customerId, sentence.id, { state: 'queued', reason, mailSentMessageId })
    }
  }

  return {
    /**
     * Composes the message of a sentence.
     * @returns what queues it, or ends the sentence without one, in the caller's transaction; undefined where it is not waiting any more
     * @throws AppError `unavailable` where a dependency does not answer, or a file is still being scanned
     */
    async prepare(customerId: Id, sentenceId: Id): Promise<End | undefined> {
      const row = await rows.waiting(customerId, sentenceId)
      if (!row) return undefined
      const sentence = await sentences.find(customerId, sentenceId)
      const isWanted = await rows.isWanted(customerId)
      const end = !sentence ? 'removed' : isWanted ? await messageOf(customerId, sentence, row.created) : 'off'
      return async (tx) => {
        if (!(await rows.lock(tx, customerId, sentenceId))) return
        if (typeof end === 'function') return end(tx)
        await rows.become(tx, customerId, sentenceId, { state: end === 'removed' ? 'cancelled' : 'not_sent', reason: end })
      }
    },
  }
}
