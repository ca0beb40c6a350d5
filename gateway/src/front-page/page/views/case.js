import { maxSentences } from '../cases.js'
import { repeat } from '../modules/lit-html/directives/repeat.js'
import { html, nothing } from '../modules/lit-html/lit-html.js'
import { moves, replyStates } from '../words.js'
import { caseFilesView, sentenceFilesView } from './case-files.js'
import { once } from './once.js'

/** @typedef {import('../visit.js').Person} Person */
/** @typedef {import('../cases.js').Sentence} Sentence */

/**
 * @param {import('../cases.js').OpenCase} open
 * @param {readonly import('../case-files.js').Upload[]} uploads of all cases
 * @param {{ person: Person, colleagues: Person[] }} people
 * @param {import('../main.js').Actions} actions
 */
export const caseView = (open, uploads, people, { answer, closeCase, draft, files, move }) => {
  const { issue, sentences, busy, problem } = open
  return html`
  <section aria-labelledby="title-case" class="group case" aria-busy=${busy}>
    <button class="quiet" type="button" @click=${once(closeCase)}>Back to the list</button>
    <h2 id="title-case" tabindex="-1" dir="auto">${issue.subject}</h2>
    <p class="lead" role="status">#${issue.number} · ${issue.status}${ownerOf(issue, people)}</p>
    <div class="moves">
      ${repeat(
        moves[issue.status],
        ({ label }) => label,
        ({ label, status }) =>
          html`<button class="quiet" type="button" aria-disabled=${busy} @click=${once(() => move(issue.id, status))}>${label}</button>`,
      )}
    </div>
    <div class="sentences" role="log" aria-label="What was said">
      ${sentences.length === 0 ? html`<p class="empty">Nothing was said yet.</p>` : nothing}
      ${sentences.length < maxSentences ? nothing : html`<p class="empty">The newest ${maxSentences} sentences are shown.</p>`}
      ${repeat(
        sentences,
        ({ id }) => id,
        (sentence) => sentenceView(sentence, people, files),
      )}
    </div>
    <form @submit=${submit(issue.id, answer)}>
      <label for="answer">Your answer</label>
      <textarea
        id="answer" name="body" rows="4" dir="auto" maxlength="50000" required ?readonly=${busy} aria-describedby="problem"
        .value=${open.draft} @input=${(/** @type {Event} */ event) => draft(issue.id, /** @type {HTMLTextAreaElement} */ (event.target).value)}
      ></textarea>
      <p class="problem" id="problem" role="alert">${problem ?? nothing}</p>
      <button class="primary" aria-disabled=${busy}>${busy ? 'Please wait …' : 'Send'}</button>
    </form>
    ${caseFilesView(open, uploads, files)}
  </section>
`
}

/**
 * @param {Sentence} sentence
 * @param {{ person: Person, colleagues: Person[] }} people
 * @param {import('../main.js').Actions['files']} actions
 */
const sentenceView = ({ speaker, speaker_id, body, status, created, files }, people, actions) => html`
  <article data-speaker=${speaker}>
    <p class="about">
      <strong>${speaker === 'expert' ? nameOf(speaker_id, people) : speaker === 'initiator' ? 'Client' : 'Caseway'}</strong>
      <small>${created}${status === 'sent' ? nothing : ` · ${replyStates[status]}`}</small>
    </p>
    <p class="body" dir="auto">${body}</p>
    ${sentenceFilesView(files, actions)}
  </article>
`

/**
 * @param {import('../cases.js').Case} issue
 * @param {{ person: Person, colleagues: Person[] }} people
 */
const ownerOf = ({ user_id }, people) => (user_id === null ? ' · nobody’s' : html` · <bdi>${nameOf(user_id, people)}</bdi>`)

/**
 * @param {string | null} id
 * @param {{ person: Person, colleagues: Person[] }} people
 */
function nameOf(id, { person, colleagues }) {
  if (id === person.id) return 'You'
  const colleague = colleagues.find((each) => each.id === id)
  return colleague ? `${colleague.firstname} ${colleague.lastname}` : 'A colleague'
}

/**
 * @param {string} id
 * @param {import('../main.js').Actions['answer']} answer
 */
const submit = (id, answer) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  answer(id, String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('body')))
}
