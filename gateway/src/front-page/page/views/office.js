import { html } from '../modules/lit-html/lit-html.js'
import { brand } from './brand.js'
import { connectionView } from './connection.js'
import { countersView } from './counters.js'
import { eventsView } from './events.js'

/**
 * @param {import('../main.js').InOffice} state
 * @param {import('../main.js').Actions} actions
 */
export const officeView = ({ person, office, connection }, { signOut }) => html`
  <header class="bar">
    ${brand('p')}
    ${connectionView(connection)}
    <nav aria-label="Page">
      <a href="docs">API docs</a>
      <button class="quiet" type="button" @click=${signOut}>Sign out</button>
    </nav>
  </header>
  <main class="office">
    <div class="greeting">
      <h1 tabindex="-1">${person.firstname} ${person.lastname}</h1>
      <p class="lead">${person.email}</p>
    </div>
    <div class="numbers">${countersView(office.counters)}</div>
    ${eventsView(office.events)}
  </main>
`
