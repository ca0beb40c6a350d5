import { html, nothing } from '../modules/lit-html/lit-html.js'
import { brand } from './brand.js'
import { caseView } from './case.js'
import { casesView } from './cases.js'
import { connectionView } from './connection.js'
import { countersView } from './counters.js'
import { eventsView } from './events.js'
import { mailboxesView } from './mailboxes.js'
import { writeMessageView } from './write-message.js'

/**
 * @param {import('../main.js').InOffice} state
 * @param {import('../main.js').Actions} actions
 */
export const officeView = ({ person, timeZone, colleagues, office, desk, mail, writing, connection }, actions) => html`
  <header class="bar">
    ${brand('p')}
    ${connectionView(connection)}
    <nav aria-label="Page">
      <a href="docs">API docs</a>
      <button class="quiet" type="button" @click=${actions.signOut}>Sign out</button>
    </nav>
  </header>
  <main class="office">
    <div class="greeting">
      <h1 tabindex="-1" dir="auto">${person.firstname} ${person.lastname}</h1>
      <p class="lead">${person.email} · All times are those of ${timeZone}.</p>
    </div>
    <div class="desk">
      ${desk.open ? caseView(desk.open, desk.uploads ?? [], { person, colleagues }, actions) : nothing}
      <div class="lists" ?hidden=${desk.open !== undefined}>
        ${casesView(desk, actions)} ${mailboxesView(mail, actions.mail)} ${writeMessageView(mail, writing, actions.writing)}
      </div>
    </div>
    <div class="numbers">${countersView(office.counters)} ${eventsView(office.events, timeZone)}</div>
  </main>
`
