import { failureText, protocols, stateText } from '../mailboxes.js'
import { repeat } from '../modules/lit-html/directives/repeat.js'
import { html, nothing } from '../modules/lit-html/lit-html.js'
import { connectMailboxView } from './connect-mailbox.js'

/** @typedef {import('../mailboxes.js').Box} Box */

/**
 * Shows nothing to a role without mailboxes.
 * @param {import('../mailboxes.js').Mail} mail
 * @param {import('../main.js').Actions['mail']} actions
 */
export const mailboxesView = ({ boxes, connecting, problem }, actions) =>
  boxes === undefined && problem === undefined
    ? nothing
    : html`
      <section aria-labelledby="title-mailboxes" class="group mailboxes">
        <h2 id="title-mailboxes" tabindex="-1">Your mailboxes</h2>
        ${problem ? html`<p class="problem">${problem}</p>` : nothing}
        <div role="status">${boxes && listView(boxes)}</div>
        ${
          connecting
            ? connectMailboxView(connecting, actions)
            : html`<button class="quiet" type="button" @click=${actions.begin}>Connect a mailbox</button>`
        }
      </section>
    `

/** @param {Box[]} boxes */
const listView = (boxes) => (boxes.length === 0 ? html`<p class="empty">No mailbox is connected.</p>` : filledListView(boxes))

/** @param {Box[]} boxes */
const filledListView = (boxes) => html`
  <ul>
    ${repeat(
      boxes,
      ({ id }) => id,
      (box) => html`
        <li data-mailbox=${box.id} data-state=${box.state}>
          <span class="address">${box.user_email}</span>
          <small>${box.server_protocol === protocols.sending ? 'Sends' : 'Receives'} by ${box.server_address} · ${stateText(box)}</small>
          ${box.last_error === null ? nothing : html`<p class="failed">${failureText(box.last_error)}</p>`}
        </li>
      `,
    )}
  </ul>
`
