import { protocols } from './mailboxes.js'

/** @typedef {{ from: string, to: string, subject: string, text: string }} Written `from` is the id of an SMTP server, `to` may be several addresses */

/**
 * @typedef {object} Sent a message as the API gives it
 * @property {string} id
 * @property {string} mail_address
 * @property {string} mail_subject
 * @property {string} status
 * @property {string | null} error
 */

/** @typedef {{ busy: boolean, sent?: Sent, problem?: string }} Writing `sent` is the message that was sent last */

/** @type {Writing} */
export const nothingWritten = { busy: false }

/**
 * The mailboxes from which the user can send.
 * @param {import('./mailboxes.js').Mail} mail
 */
export const sendingBoxes = ({ boxes = [] }) =>
  boxes.filter(({ server_protocol, state }) => server_protocol === protocols.sending && state === 'active')

/** @type {Record<string, string>} */
const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' }

/**
 * The message for the API: an HTML body that shows the text as it was written.
 * @param {Written} written
 */
export const messageOf = ({ from, to, subject, text }) => ({
  mail_server_id: from,
  mail_to_address: to.split(',').map((address) => address.trim()),
  mail_subject: subject,
  mail_body: text.replaceAll('\r\n', '\n').replace(/[&<>\n]/g, (character) => marks[character] ?? character),
  status: '0',
})

/**
 * The state of a message, as text.
 * @param {Sent} sent
 */
export function sentText({ status, error }) {
  switch (status) {
    case '0':
      return error === null ? 'Waits to be sent' : 'Is tried again'
    case '1':
      return 'Is being sent'
    case '2':
      return 'Sent'
    case '3':
      return 'Not sent'
    default:
      return 'Is a draft again'
  }
}

/**
 * Applies an event of the live stream to the last sent message.
 * @param {Writing} writing
 * @param {{ id: string } & Partial<Sent>} [told] only its id when the message was removed
 * @returns {Writing}
 */
export function withTold(writing, told) {
  if (told === undefined || told.id !== writing.sent?.id) return writing
  return told.status === undefined
    ? { busy: writing.busy, problem: 'The message that was sent last is gone.' }
    : { ...writing, sent: /** @type {Sent} */ (told) }
}
