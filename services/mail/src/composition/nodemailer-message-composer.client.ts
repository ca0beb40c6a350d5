import type { Readable } from 'node:stream'
import { compile } from 'html-to-text'
import { createTransport, type SendMailOptions } from 'nodemailer'
import sanitizeHtml from 'sanitize-html'
import { mayBeNestedTooDeep, readNested } from '../mail-html/nested-html.js'
import type { MailAddress } from '../parsing/parsed-mail.js'
import { type DkimKey, keyFor } from './dkim-key.js'
import type { MessageComposer, MessageToCompose } from './message-composer.js'

/** What is nested deeper is not in the text: a recursion walks it. */
const mostDepth = 200

const textOfHtml = compile({
  ...{ wordwrap: false, limits: { maxDepth: mostDepth } },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
  ],
})

/** The depth is looked at by sanitize-html: html-to-text tells nobody of it. */
const textOf = (html: string) =>
  readNested(html, (read, limit) => {
    if (mayBeNestedTooDeep(read)) sanitizeHtml(read, { allowedTags: [], allowedAttributes: {}, ...limit })
    return textOfHtml(read)
  })

const priorities: Readonly<Record<number, 'high' | 'low'>> = { 2: 'high', 4: 'low' }

/** What looks like an encoded word (RFC 2047) would be decoded by whoever reads it: to line breaks, or to other addresses. */
const plain = (text: string) => text.replaceAll('=?', '= ?')

const named = ({ name, address }: MailAddress) => ({ name: plain(name), address })

/** An image in a `data:` URL without data (RFC 2397): nodemailer would look for a file of that name. */
const imageWithoutData = /(<img\b[^<>]{0,1024} src\s{0,20}=[\s"']{0,20})data:[^;,"'<>\s]{1,255};[^,"'>\s]+(?=["'>\s]|$)/gi

const bracketed = (id: string) => `<${id}>`

/** What stands in front of a signature (RFC 3676, 4.3). */
const signatureLine = '-- '

/** What was written, with the signature below it, as HTML and as text. */
function signed({ html, signature }: Pick<MessageToCompose, 'html' | 'signature'>) {
  const [text, signatureText] = [textOf(html), textOf(signature)]
  return {
    html: signature === '' ? html : `${html}<br><div>${signature}</div>`,
    text: signatureText === '' ? text : `${text}\n\n${signatureLine}\n${signatureText}`,
  }
}

/** As nodemailer takes it. It is given no recipients of bcc, so that they cannot be in the header. */
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

/** How nodemailer signs what an office sends from the domain of a key of it (RFC 6376). */
function signedBy(keys: readonly DkimKey[], { customerId, from }: MessageToCompose): Pick<SendMailOptions, 'dkim'> {
  const key = keyFor(keys, customerId, from.address)
  return key ? { dkim: { domainName: key.domain, keySelector: key.selector, privateKey: key.privateKey } } : {}
}

/** By nodemailer, with a text beside the HTML by html-to-text. Images within the HTML become parts of the message. */
export function nodemailerMessageComposer(keys: readonly DkimKey[] = []): MessageComposer {
  const transport = createTransport({ streamTransport: true, newline: 'windows' })
  return {
    async compose(message) {
      const { message: bytes } = await transport.sendMail({ ...written(message), ...signedBy(keys, message) })
      return bytes as Readable
    },
  }
}
