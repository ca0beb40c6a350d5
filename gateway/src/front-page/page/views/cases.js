import { maxCases } from '../cases.js'
import { repeat } from '../modules/lit-html/directives/repeat.js'
import { html, nothing } from '../modules/lit-html/lit-html.js'

/** @typedef {import('../cases.js').Case} Case */

/**
 * @param {import('../cases.js').Desk} desk
 * @param {import('../main.js').Actions} actions
 */
export const casesView = ({ search, cases, problem }, actions) => html`
  <section aria-labelledby="title-cases" class="group cases">
    <h2 id="title-cases" tabindex="-1">Cases of the office</h2>
    <form role="search" @submit=${submit(actions.search)} @input=${cleared(actions.search)}>
      <label for="search">Search</label>
      <input id="search" name="q" type="search" dir="auto" maxlength="200" autocomplete="off" .value=${search}>
      <button class="quiet">Search</button>
    </form>
    <p class="problem" role="alert">${problem ?? nothing}</p>
    <p class="found" role="status">${search && foundText(cases)}</p>
    ${cases.length === 0 ? html`<p class="empty">There is no case.</p>` : listView(cases, actions.openCase)}
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
            <span class="subject" dir="auto">${subject}</span>
            <small>#${number} · ${status}</small>
          </button>
        </li>
      `,
    )}
  </ul>
`

/** @param {Case[]} cases */
function foundText({ length }) {
  if (length >= maxCases) return `The newest ${maxCases} of all that were found.`
  return length === 1 ? '1 case was found.' : `${length} cases were found.`
}

/** @param {(words: string) => void} search */
const submit = (search) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  search(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('q')))
}

/**
 * Emptying the field shows all cases again.
 * @param {(words: string) => void} search
 */
const cleared = (search) => (/** @type {Event} */ event) => {
  if (/** @type {HTMLInputElement} */ (event.target).value === '') search('')
}
