import { read } from './api.js'
import { emptyDesk } from './cases.js'
import { deskOf } from './desk.js'
import { followStream } from './live-stream.js'
import { mailDeskOf } from './mail-desk.js'
import { emptyMail } from './mailboxes.js'
import { emptyOffice, withCounters, withGap, withIssue } from './office.js'
import { writingDeskOf } from './writing-desk.js'
import { nothingWritten, withTold } from './written-message.js'

/** @typedef {{ id: string, firstname: string, lastname: string, email: string }} Person */

/**
 * The state of the page while a user is signed in.
 * @typedef {object} Visit
 * @property {Person} person
 * @property {string} timeZone that of the office, in which the API gives all times
 * @property {Person[]} colleagues
 * @property {import('./office.js').Office} office
 * @property {import('./cases.js').Desk} desk
 * @property {import('./mailboxes.js').Mail} mail
 * @property {import('./written-message.js').Writing} writing
 * @property {import('./live-stream.js').Connection} connection
 */

/**
 * Loads the current state of the office.
 * @param {import('./session.js').Session} session
 * @returns {Promise<Visit>}
 */
export async function lookAround(session) {
  const token = await session.token()
  const [{ User: person }, { Customer }, users, { Counter: counters }] = await Promise.all([
    read('rest/user/me', token),
    read('rest/customer/me', token),
    read('rest/user?limit=1000', token),
    read('rest/counter', token),
  ])
  const colleagues = users.map((/** @type {any} */ { User }) => User)
  const office = withCounters(emptyOffice, counters)
  return {
    person,
    timeZone: Customer.time_zone,
    colleagues,
    office,
    desk: emptyDesk,
    mail: emptyMail,
    writing: nothingWritten,
    connection: 'connecting',
  }
}

/**
 * Shows changes from the live stream and from the user's own actions until `signal` is aborted.
 * @param {import('./session.js').Session} session
 * @param {Visit} visit the initial state
 * @param {(visit: Visit) => void} show
 * @param {AbortSignal} signal
 */
export function stay(session, visit, show, signal) {
  let now = visit
  /** @param {Partial<Visit>} change */
  const update = (change) => {
    now = { ...now, ...change }
    show(now)
  }
  const desk = deskOf(
    session,
    () => now.desk,
    (desk) => update({ desk }),
    signal,
  )
  const mail = mailDeskOf(
    session,
    now.person.id,
    () => now.mail,
    (mail) => update({ mail }),
    signal,
  )
  const writing = writingDeskOf(
    session,
    () => now.writing,
    (writing) => update({ writing }),
  )
  /** What the stream does not tell. */
  const readAgain = () => {
    void desk.list()
    void writing.refresh()
    if (now.desk.open) void desk.refresh(now.desk.open.issue.id)
  }
  /**
   * @param {string} event
   * @param {any} data the wrapped record
   */
  const onEvent = (event, data) => {
    update(after(now, event, data))
    if (event === 'issue') desk.receive(data.Issue)
    if (event === 'notification' && data.Notification.issue_id) void desk.refresh(data.Notification.issue_id)
    if (event === 'reset') readAgain()
  }
  void desk.list()
  void mail.watch()
  return {
    desk,
    mail,
    writing,
    /** Rejects with `SessionOver`. */
    over: followStream(session, { onBegin: readAgain, onEvent, onConnection: (connection) => update({ connection }) }, signal),
  }
}

/**
 * @param {Visit} visit
 * @param {string} event
 * @param {any} data the wrapped record
 * @returns {Partial<Visit>}
 */
function after({ office, writing }, event, data) {
  switch (event) {
    case 'counter':
      return { office: withCounters(office, data.Counter) }
    case 'issue':
      return { office: withIssue(office, data.Issue, new Date()) }
    case 'mail':
      return { writing: withTold(writing, data.MailSentMysqlMessage) }
    case 'reset':
      return { office: withGap(office, new Date()) }
    default:
      // Unknown event types are ignored.
      return {}
  }
}
