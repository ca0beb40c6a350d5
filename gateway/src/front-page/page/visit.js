import { read } from './api.js'
import { followStream } from './live-stream.js'
import { emptyOffice, withCounters, withGap, withIssue } from './office.js'

/**
 * What somebody sees while they are signed in.
 * @typedef {object} Visit
 * @property {{ firstname: string, lastname: string, email: string }} person
 * @property {import('./office.js').Office} office
 * @property {import('./live-stream.js').Connection} connection
 */

/**
 * How the office is at this moment.
 * @param {import('./session.js').Session} session
 * @returns {Promise<Visit>}
 */
export async function lookAround(session) {
  const token = await session.token()
  const [{ User: person }, { Counter: counters }] = await Promise.all([read('rest/user/me', token), read('rest/counter', token)])
  return { person, office: withCounters(emptyOffice, counters), connection: 'connecting' }
}

/**
 * Shows what changes, until `signal` is aborted.
 * @param {import('./session.js').Session} session
 * @param {Visit} visit how it begins
 * @param {(visit: Visit) => void} show
 * @param {AbortSignal} signal
 * @throws {import('./session.js').SessionOver}
 */
export function follow(session, visit, show, signal) {
  let now = visit
  /** @param {Partial<Visit>} change */
  const update = (change) => {
    now = { ...now, ...change }
    show(now)
  }
  const onEvent = (/** @type {string} */ event, /** @type {any} */ data) => update({ office: after(now.office, event, data) })
  return followStream(session, { onEvent, onConnection: (connection) => update({ connection }) }, signal)
}

/**
 * @param {import('./office.js').Office} office
 * @param {string} event
 * @param {any} data the wrapped record
 */
function after(office, event, data) {
  switch (event) {
    case 'counter':
      return withCounters(office, data.Counter)
    case 'issue':
      return withIssue(office, data.Issue, new Date())
    case 'reset':
      return withGap(office, new Date())
    default:
      // Kinds that this page does not know yet.
      return office
  }
}
