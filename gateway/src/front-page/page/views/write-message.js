import { html, nothing } from '../modules/lit-html/lit-html.js'
import { sendingBoxes, sentText } from '../written-message.js'

/** @typedef {import('../written-message.js').Writing} Writing */
/** @typedef {import('../main.js').Actions['writing']} WritingActions */

/**
 * Shows nothing to a user without a sending mailbox who has sent nothing.
 * @param {import('../mailboxes.js').Mail} mail
 * @param {Writing} writing
 * @param {WritingActions} actions
 */
export function writeMessageView(mail, writing, actions) {
  const boxes = sendingBoxes(mail)
  if (boxes.length === 0 && !writing.sent) return nothing
  return html`
    <section aria-labelledby="title-writing" class="group mailboxes writing">
      <h2 id="title-writing" tabindex="-1">Write a message</h2>
      <div role="status">${writing.sent ? sentView(writing.sent) : nothing}</div>
      ${boxes.length === 0 ? nothing : formView(boxes, writing, actions)}
    </section>
  `
}

/** @param {import('../written-message.js').Sent} sent */
const sentView = (sent) => html`
  <div class="sent" data-message=${sent.id} data-status=${sent.status}>
    <span class="address" dir="auto">${sent.mail_subject}</span>
    <small>To ${sent.mail_address} · ${sentText(sent)}</small>
    ${sent.error === null ? nothing : html`<p class="failed">${sent.error}</p>`}
  </div>
`

/**
 * @param {import('../mailboxes.js').Box[]} boxes
 * @param {Writing} writing
 * @param {WritingActions} actions
 */
const formView = (boxes, { busy, problem }, { send }) => html`
  <form aria-busy=${busy} aria-labelledby="title-writing" @submit=${submit(send)}>
    <label for="message-from">From</label>
    <select id="message-from" name="from">
      ${boxes.map(({ id, user_email }) => html`<option value=${id}>${user_email}</option>`)}
    </select>
    <label for="message-to">To</label>
    <input
      id="message-to" name="to" type="email" multiple autocomplete="off" autocapitalize="none" spellcheck="false" required
      ?readonly=${busy} aria-describedby="message-problem"
    >
    <label for="message-subject">Subject</label>
    <input id="message-subject" name="subject" type="text" dir="auto" maxlength="998" autocomplete="off" ?readonly=${busy}>
    <label for="message-text">Text</label>
    <textarea id="message-text" name="text" rows="6" dir="auto" maxlength="50000" required ?readonly=${busy}></textarea>
    <p class="problem" id="message-problem" role="alert">${problem ?? nothing}</p>
    <div class="choices"><button class="primary" aria-disabled=${busy}>${busy ? 'Please wait …' : 'Send'}</button></div>
  </form>
`

/**
 * Sends the message; on failure it stays in the form.
 * @param {WritingActions['send']} send
 */
const submit = (send) => async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  const form = /** @type {HTMLFormElement} */ (event.target)
  const written = /** @type {any} */ (Object.fromEntries(new FormData(form)))
  if (await send(written)) form.reset()
}
