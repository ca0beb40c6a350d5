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
export const officeView = ({ person, colleagues, office, desk, mail, writing, connection }, actions) => html`
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
      <p class="lead">${person.email}</p>
    </div>
    <div class="desk">
      ${desk.open ? caseView(desk.open, desk.uploads ?? [], { person, colleagues }, actions) : casesView(desk, actions)}
      ${desk.open ? nothing : mailboxesView(mail, actions.mail)}
      ${desk.open ? nothing : writeMessageView(mail, writing, actions.writing)}
    </div>
    <div class="numbers">${countersView(office.counters)} ${eventsView(office.events)}</div>
  </main>
`
