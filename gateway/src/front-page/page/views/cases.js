import { repeat } from '../modules/lit-html/directives/repeat.js'
import { html, nothing } from '../modules/lit-html/lit-html.js'

/** @typedef {import('../cases.js').Case} Case */

/**
 * @param {import('../cases.js').Desk} desk
 * @param {import('../main.js').Actions} actions
 */
export const casesView = ({ cases, problem }, { openCase }) => html`
  <section aria-labelledby="title-cases" class="group cases">
    <h2 id="title-cases" tabindex="-1">Cases of the office</h2>
    <p class="problem" role="alert">${problem ?? nothing}</p>
    ${cases.length === 0 ? html`<p class="empty">There is no case.</p>` : listView(cases, openCase)}
  </section>
`

/**
 * @param {Case[]} cases
 * @param {(id: string) => void} openCase
 */
const listView = (cases, openCase) => html`
  <ul>
    ${repeat(
      cases,
      ({ id }) => id,
      ({ id, number, subject, status }) => html`
        <li data-case=${id}>
          <button type="button" @click=${() => openCase(id)}>
            <span class="subject">${subject}</span>
            <small>#${number} · ${status}</small>
          </button>
        </li>
      `,
    )}
  </ul>
`
