import { wayLabels } from '../mailboxes.js'
import { html } from '../modules/lit-html/lit-html.js'

/** @typedef {import('../mailboxes.js').Way} Way */
/** @typedef {import('../main.js').Actions['mail']} MailActions */

/**
 * @param {import('../mailboxes.js').Connecting} connecting
 * @param {MailActions} actions
 */
export const connectMailboxView = ({ address, servers, busy, problems }, actions) => html`
  <form aria-busy=${busy} aria-label="Connect a mailbox" @submit=${submit(actions.connect)}>
    <label for="mailbox-address">Address of the mailbox</label>
    <input
      id="mailbox-address" name="address" type="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" required
      .value=${address} ?readonly=${busy} @input=${(/** @type {Event} */ event) => actions.setAddress(textOf(event))}
    >
    <label for="mailbox-password">Password of the mailbox</label>
    <input id="mailbox-password" name="password" type="password" autocomplete="off" maxlength="1024" required ?readonly=${busy} aria-describedby="mailbox-problems">
    ${serverView('receiving', servers.receiving, busy, actions)}
    ${serverView('sending', servers.sending, busy, actions)}
    <div class="problem" id="mailbox-problems" role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>
    <div class="choices">
      <button class="primary" aria-disabled=${busy}>${busy ? 'Trying both servers …' : 'Connect'}</button>
      <button class="quiet" type="button" @click=${actions.cancel}>Cancel</button>
    </div>
  </form>
`

/**
 * @param {Way} way
 * @param {import('../mailboxes.js').Place} place
 * @param {boolean} busy
 * @param {MailActions} actions
 */
const serverView = (way, place, busy, { setPlace }) => html`
  <fieldset>
    <legend>${wayLabels[way]}</legend>
    <label for=${`${way}-host`}>Server</label>
    <input
      id=${`${way}-host`} type="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="253" required
      .value=${place.server_address} ?readonly=${busy} @input=${(/** @type {Event} */ event) => setPlace(way, { server_address: textOf(event).trim() })}
    >
    <label for=${`${way}-port`}>Port</label>
    <input
      id=${`${way}-port`} type="number" min="1" max="65535" required
      .value=${place.server_port} ?readonly=${busy} @input=${(/** @type {Event} */ event) => setPlace(way, { server_port: textOf(event) })}
    >
    <label for=${`${way}-encryption`}>Encryption</label>
    <select
      id=${`${way}-encryption`}
      .value=${place.server_encryption} ?disabled=${busy} @change=${(/** @type {Event} */ event) => setPlace(way, { server_encryption: textOf(event) })}
    >
      ${encryptions.map(([value, label]) => html`<option value=${value} ?selected=${value === place.server_encryption}>${label}</option>`)}
    </select>
  </fieldset>
`

const encryptions = [
  ['2', 'TLS'],
  ['1', 'STARTTLS'],
  ['0', 'None'],
]

/** @param {Event} event */
const textOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value

/** @param {MailActions['connect']} connect */
const submit = (connect) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  connect(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('password')))
}
