import { read, send } from './api.js'
import { newKey } from './key.js'
import { whyNot } from './words.js'
import { messageOf } from './written-message.js'

/** @typedef {import('./written-message.js').Writing} Writing */

/**
 * What a user does with messages that they write. Nothing throws: errors are shown.
 * @param {import('./session.js').Session} session
 * @param {() => Writing} current
 * @param {(writing: Writing) => void} show
 */
export function writingDeskOf(session, current, show) {
  /** The last message that was sent, so that it can be repeated with the same key when its response was lost. */
  let attempt = { body: '', key: '' }

  /** @param {Partial<Writing>} changes */
  const change = (changes) => show({ ...current(), ...changes })

  /** Reads the state of the last sent message; a newer state from the live stream is kept. */
  async function refresh() {
    const { sent } = current()
    if (!sent) return
    const fresh = await read(`rest/mail_sent_mysql_message/${sent.id}`, await session.token()).catch(() => undefined)
    if (fresh && current().sent === sent) change({ sent: fresh.MailSentMysqlMessage })
  }

  return {
    refresh,

    /**
     * @param {import('./written-message.js').Written} written
     * @returns {Promise<boolean>} whether the message was queued for sending
     */
    async send(written) {
      if (current().busy) return false
      const message = messageOf(written)
      const body = JSON.stringify(message)
      if (attempt.body !== body) attempt = { body, key: newKey() }
      change({ busy: true, problem: undefined })
      try {
        const options = { token: await session.token(), headers: { 'idempotency-key': attempt.key } }
        const { id } = await send('rest/mail_sent_mysql_message', { MailSentMysqlMessage: message }, options)
        attempt = { body: '', key: '' }
        const { mail_to_address, mail_subject, status } = message
        change({ busy: false, sent: { id: String(id), mail_address: mail_to_address[0] ?? '', mail_subject, status, error: null } })
        void refresh()
        return true
      } catch (error) {
        change({ busy: false, problem: whyNot(error) })
        return false
      }
    },
  }
}
