import { html } from '../modules/lit-html/lit-html.js'

/** @type {Record<import('../office.js').Happening['kind'], string>} */
const words = {
  opened: 'Opened',
  changed: 'Changed',
  closed: 'Closed',
  rejected: 'Rejected',
  removed: 'Removed',
  missed: 'Missed',
}

/**
 * @param {import('../office.js').Happening[]} events newest first
 * @param {string} timeZone
 */
export const eventsView = (events, timeZone) => html`
  <section aria-labelledby="title-events" class="group events">
    <h2 id="title-events">Last events</h2>
    ${events.length === 0 ? nothingYet : html`<ol>${events.map(eventView(new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', timeZone })))}</ol>`}
  </section>
`

const nothingYet = html`<p class="empty">Nothing has happened since you came. Whatever becomes of a case shows here at once.</p>`

/** @param {Intl.DateTimeFormat} clock */
const eventView =
  (clock) =>
  (/** @type {import('../office.js').Happening} */ { at, kind, issue }) =>
    html`
  <li>
    <time datetime=${at.toISOString()}>${clock.format(at)}</time>
    <span class="kind" data-kind=${kind}>${words[kind]}</span>
    <span class="subject">${issue ? subjectOf(issue) : 'More than can be told one by one. The counters are right.'}</span>
  </li>
`

/** @param {import('../office.js').Issue} issue */
const subjectOf = ({ id, number, subject = 'A case', status }) =>
  html`<bdi>${subject}</bdi> <small>${number === undefined ? `id ${id}` : `#${number}`}${status ? ` · ${status}` : ''}</small>`
