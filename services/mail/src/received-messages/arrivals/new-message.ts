import type { MailAddress } from '../../parsing/parsed-mail.js'
import { addressKey } from '../../senders/sender.js'
import type { Arrived, ReceivingMailbox } from './arrived-message.js'
import { type AutoKind, autoKindOf } from './auto-kind.js'

/** The most characters of texts, and entries of lists, that are kept in columns; the bytes of a message are kept whole. */
const maxLengths = {
  address: 320,
  name: 255,
  subject: 998,
  id: 998,
  references: 8_000,
  body: 262_144,
  html: 524_288,
  recipients: 200,
  filename: 255,
}

const cut = (text: string, length: number) => {
  const short = text.slice(0, length)
  // Do not end within a surrogate pair.
  return short.isWellFormed() ? short : short.slice(0, -1)
}

const line = (text: string, length: number) => cut(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), length)

/** The last Message-IDs, as many as fit: they are the nearest. */
function named(ids: readonly string[]): string {
  const text = ids.slice(-100).join(' ')
  return line(text.length > maxLengths.references ? text.slice(-maxLengths.references).replace(/^\S*\s?/, '') : text, maxLengths.references)
}

const listed = (addresses: readonly MailAddress[]) =>
  JSON.stringify(
    addresses.slice(0, maxLengths.recipients).map(({ address, name }) => ({
      address: line(address, maxLengths.address),
      name: line(name, maxLengths.name),
    })),
  )

/** The columns that depend on the message alone: on its parsed form or, where parsing has failed, on its header. */
export function contentOf({ headers, parsed, size, internalDate, seen, partial }: Arrived, mailbox: Pick<ReceivingMailbox, 'address'>) {
  const { from, to, cc, subject, inReplyTo, references } = parsed ?? headers
  const text = cut(parsed?.text ?? '', maxLengths.body)
  const filenames = parsed?.attachments.map(({ filename }) => filename) ?? []
  return {
    ...{ size, partial, timestamp: internalDate, is_read: seen },
    mail_address: line(from?.address ?? '', maxLengths.address),
    mail_name: line(from?.name ?? '', maxLengths.name),
    mail_to: listed(to),
    mail_cc: listed(cc),
    mail_subject: line(subject, maxLengths.subject),
    // The search covers the beginning of a long text.
    body_text: [...filenames, text].join('\n'),
    has_attachments: filenames.length > 0,
    priority: parsed?.priority ?? 3,
    msg_unique_identifier: messageIdOf({ headers, parsed }),
    in_reply_to_msg_uid: inReplyTo === null ? null : line(inReplyTo, maxLengths.id),
    reference: named(references),
    auto_kind: kindOf({ headers, parsed }, mailbox),
    parse_state: parsed ? 'parsed' : 'failed',
  }
}

/** The Message-ID in the form in which it is stored. */
export function messageIdOf({ headers, parsed }: Pick<Arrived, 'headers' | 'parsed'>): string | null {
  const { messageId } = parsed ?? headers
  return messageId === null ? null : line(messageId, maxLengths.id)
}

/** The kind of automatic mail; `own` for what the mailbox sent itself. */
function kindOf({ headers, parsed }: Pick<Arrived, 'headers' | 'parsed'>, { address }: Pick<ReceivingMailbox, 'address'>): AutoKind | null {
  const kind = parsed?.autoKind ?? autoKindOf(headers)
  const { from } = parsed ?? headers
  return kind ?? (from && addressKey(from.address) === addressKey(address) ? 'own' : null)
}

/** The HTML of a message as it was sent; null where it has none, or too much to be shown. */
export const htmlOf = ({ parsed }: Pick<Arrived, 'parsed'>): string | null =>
  parsed?.html && parsed.html.length <= maxLengths.html ? parsed.html : null

/** The text to show where there is no HTML. */
export const textOf = ({ parsed }: Pick<Arrived, 'parsed'>): string => cut(parsed?.text ?? '', maxLengths.body)

/** The rows of a message's attachments. */
export const attachmentsOf = ({ parsed }: Pick<Arrived, 'parsed'>) =>
  (parsed?.attachments ?? []).map(({ position, filename, mime, size, contentId }) => ({
    ...{ position, size },
    filename: line(filename, maxLengths.filename),
    mime: line(mime, maxLengths.name),
    content_id: contentId === null ? null : line(contentId, maxLengths.id),
  }))
