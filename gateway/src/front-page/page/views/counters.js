import { html } from '../modules/lit-html/lit-html.js'
import { groups } from '../words.js'

/** @param {import('../office.js').Counter[]} counters */
export const countersView = (counters) =>
  groups.map(({ object, title, labels }) => {
    const shown = Object.entries(labels).flatMap(([name, label]) => {
      const counter = counters.find((each) => each.object === object && each.name === name)
      return counter ? [{ label, counter }] : []
    })
    return html`
      <section aria-labelledby=${`title-${object}`} class="group">
        <h2 id=${`title-${object}`}>${title}</h2>
        <dl class="counters" aria-live="polite">${shown.map(counterView)}</dl>
      </section>
    `
  })

/**
 * An animation restarts only under another name, so odd and even changes have different ones.
 * @param {{ label: string, counter: import('../office.js').Counter }} shown
 */
const counterView = ({ label, counter: { name, value, changes } }) => html`
  <div class="counter" aria-atomic="true" data-counter=${name} data-change=${changeOf(changes)} ?data-none=${value === 0}>
    <dt>${label}</dt>
    <dd>${value.toLocaleString()}</dd>
  </div>
`

/** @param {number} changes */
const changeOf = (changes) => {
  if (changes === 0) return 'none'
  return changes % 2 === 0 ? 'even' : 'odd'
}
