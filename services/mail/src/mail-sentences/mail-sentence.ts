import type { Id } from '@caseway/kit/caller'
import escapeHtml from 'escape-html'

/** The states of a sentence that is to be sent as mail. After `queued` the state of its message counts. */
export const sentenceStates = ['waiting', 'queued', 'not_sent', 'cancelled'] as const

/** Why a sentence was not sent. `files_left_out`: it was sent, but without files that were not clean, or together too large. */
export const sentenceReasons = ['off', 'removed', 'no_client', 'client_not_linked', 'no_address', 'no_mailbox', 'files_left_out'] as const
export type SentenceReason = (typeof sentenceReasons)[number]

/** How long a sentence waits before it is handled, in milliseconds: its files may not be known yet, and one that is removed at once is never sent. */
export const settlingMs = 2000

/** How long the scan of files is waited for, in milliseconds. Files whose scan has not ended then are left out. */
export const longestScanMs = 15 * 60_000

/** A message in the case that its client has received or written. */
export interface CaseMessage {
  readonly messageId: string
  readonly customerId: Id
  readonly issueId: Id | null
  /** The mailbox and conversation of a received message; null for a sent one. */
  readonly mailServerId: Id | null
  readonly mailThreadId: Id | null
}

/**
 * The conversation that a sentence continues.
 * @param messages those of the case, the oldest first
 * @returns `thread` for the header, and `answered`, the last received message
 */
export function continued(messages: readonly CaseMessage[]) {
  const ids = messages.map(({ messageId }) => messageId)
  const thread = { msgUniqueIdentifier: ids.at(-1) ?? null, inReplyToMsgUid: null, reference: ids.slice(0, -1).join(' ') }
  const received = messages.findLast(({ mailThreadId }) => mailThreadId !== null)
  if (!received?.mailServerId || !received.mailThreadId) return { thread, answered: undefined }
  const { customerId, issueId, mailServerId, mailThreadId } = received
  return { thread, answered: { ...thread, customerId, issueId, mailServerId, mailThreadId } }
}

/** The text of a sentence as HTML that keeps paragraphs and lines. */
export const htmlOf = (body: string): string =>
  body
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll(/\r?\n/g, '<br>\n')}</p>`)
    .join('\n')

/** Those of the files, in their order, that fit into one message. */
export function fitting<File extends { readonly sizeBytes: number }>(files: readonly File[], maxBytes: number): File[] {
  let remainingBytes = maxBytes
  return files.filter(({ sizeBytes }) => {
    if (sizeBytes > remainingBytes) return false
    remainingBytes -= sizeBytes
    return true
  })
}
