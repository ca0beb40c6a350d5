import type { Id } from '@caseway/kit/caller'
import escapeHtml from 'escape-html'

/** What becomes of a sentence that is to leave as mail. `queued`: what became of it then is said by the message. */
export const sentenceStates = ['waiting', 'queued', 'not_sent', 'cancelled'] as const

/** Why a sentence has not left. `files_left_out` is said of one that has: of its files, some are not clean, or too large together. */
export const sentenceReasons = ['off', 'removed', 'no_client', 'client_not_linked', 'no_address', 'no_mailbox', 'files_left_out'] as const
export type SentenceReason = (typeof sentenceReasons)[number]

/** Before that nothing is queued: the files of the sentence may not be known yet, and what is removed at once never leaves. */
export const settlingMs = 2000

/** For so long the scan of files is waited for. What has not ended then stays behind. */
export const longestScanMs = 15 * 60_000

/** A message of the case that its client has got, or has written. */
export interface CaseMessage {
  readonly messageId: string
  readonly customerId: Id
  readonly issueId: Id | null
  /** Of a received one: its mailbox and its conversation there. */
  readonly mailServerId: Id | null
  readonly mailThreadId: Id | null
}

/** What a sentence continues, from the messages of its case in their order. */
export function continued(messages: readonly CaseMessage[]) {
  const ids = messages.map(({ messageId }) => messageId)
  const thread = { msgUniqueIdentifier: ids.at(-1) ?? null, inReplyToMsgUid: null, reference: ids.slice(0, -1).join(' ') }
  const received = messages.findLast(({ mailThreadId }) => mailThreadId !== null)
  if (!received?.mailServerId || !received.mailThreadId) return { thread, answered: undefined }
  const { customerId, issueId, mailServerId, mailThreadId } = received
  return { thread, answered: { ...thread, customerId, issueId, mailServerId, mailThreadId } }
}

/** The text of a sentence as HTML: its paragraphs, and its lines. */
export const htmlOf = (body: string): string =>
  body
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll(/\r?\n/g, '<br>\n')}</p>`)
    .join('\n')

/** As many of the files, in their order, as may be in one message. */
export function fitting<File extends { readonly sizeBytes: number }>(files: readonly File[], mostBytes: number): File[] {
  let left = mostBytes
  return files.filter(({ sizeBytes }) => {
    if (sizeBytes > left) return false
    left -= sizeBytes
    return true
  })
}
