import type { Readable } from 'node:stream'
import { compile } from 'html-to-text'
import { createTransport, type SendMailOptions } from 'nodemailer'
import sanitizeHtml from 'sanitize-html'
import { mayBeNestedTooDeep, readNested } from '../mail-html/nested-html.js'
import type { MailAddress } from '../parsing/parsed-mail.js'
import { type DkimKey, keyFor } from './dkim-key.js'
import type { MessageComposer, MessageToCompose } from './message-composer.js'

/** Elements nested deeper are left out of the text: html-to-text walks them recursively. */
const maxDepth = 200

const textOfHtml = compile({
  ...{ wordwrap: false, limits: { maxDepth } },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
  ],
})

/** sanitize-html measures the depth, because html-to-text does not report it. */
const textOf = (html: string) =>
  readNested(html, (read, limit) => {
    if (mayBeNestedTooDeep(read)) sanitizeHtml(read, { allowedTags: [], allowedAttributes: {}, ...limit })
    return textOfHtml(read)
  })

const priorities: Readonly<Record<number, 'high' | 'low'>> = { 2: 'high', 4: 'low' }

/** Breaks up what looks like an encoded word (RFC 2047): mail clients would decode it, to line breaks or to other addresses. */
const plain = (text: string) => text.replaceAll('=?', '= ?')

const named = ({ name, address }: MailAddress) => ({ name: plain(name), address })

/** An image in a `data:` URL without data (RFC 2397): nodemailer would look for a file of that name. */
const imageWithoutData = /(<img\b[^<>]{0,1024} src\s{0,20}=[\s"']{0,20})data:[^;,"'<>\s]{1,255};[^,"'>\s]+(?=["'>\s]|$)/gi

const bracketed = (id: string) => `<${id}>`

/** The line before a signature (RFC 3676, 4.3). */
const signatureLine = '-- '

/** The body with the signature below it, as HTML and as plain text. */
function signed({ html, signature }: Pick<MessageToCompose, 'html' | 'signature'>) {
  const [text, signatureText] = [textOf(html), textOf(signature)]
  return {
    html: signature === '' ? html : `${html}<br><div>${signature}</div>`,
    text: signatureText === '' ? text : `${text}\n\n${signatureLine}\n${signatureText}`,
  }
}

/** The message in nodemailer's form. It gets no bcc recipients, so that its header cannot name them. */
function written({ from, messageId, attachments, ...message }: MessageToCompose): SendMailOptions {
  const { date, inReplyTo, replyTo, requestReadReceipt } = message
  const { html, text } = signed(message)
  return {
    ...{ from: named(from), to: message.to.map(named), cc: message.cc.map(named), subject: plain(message.subject) },
    ...{ messageId: bracketed(messageId), references: message.references.map(bracketed), date },
    ...(inReplyTo !== null && { inReplyTo: bracketed(inReplyTo) }),
    ...(replyTo !== '' && { replyTo }),
    ...(requestReadReceipt && { headers: { 'Disposition-Notification-To': bracketed(from.address) } }),
    ...(priorities[message.priority] && { priority: priorities[message.priority] }),
    ...{ text, ...(html !== '' && { html: html.replace(imageWithoutData, '$1'), attachDataUrls: true }) },
    attachments: attachments.map(({ name, mime, content }) => ({
      ...{ filename: plain(name), contentType: mime, contentDisposition: 'attachment' as const, content },
    })),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }
}

/** nodemailer's DKIM options, where the office has a key for the domain of the sender (RFC 6376). */
function signedBy(keys: readonly DkimKey[], { customerId, from }: MessageToCompose): Pick<SendMailOptions, 'dkim'> {
  const key = keyFor(keys, customerId, from.address)
  return key ? { dkim: { domainName: key.domain, keySelector: key.selector, privateKey: key.privateKey } } : {}
}

/** Composes with nodemailer; html-to-text makes the plain-text alternative. Images in `data:` URLs become parts of the message. */
export function nodemailerMessageComposer(keys: readonly DkimKey[] = []): MessageComposer {
  const transport = createTransport({ streamTransport: true, newline: 'windows' })
  return {
    async compose(message) {
      const { message: bytes } = await transport.sendMail({ ...written(message), ...signedBy(keys, message) })
      const content = bytes as Readable
      // nodemailer begins at once, and emits the error of a file without ending the stream: a reader that begins after it would wait for ever.
      content.on('error', (error) => content.destroy(error))
      return content
    },
  }
}
