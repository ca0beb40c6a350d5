/** How many events are kept. */
const maxEvents = 50

/** @typedef {{ id: string, number?: number | string, subject?: string, status?: string, version?: number | string }} Issue */
/** @typedef {Record<string, Record<string, number | Record<string, number>>>} Counters as `GET /rest/counter` gives them */

/**
 * @typedef {object} Counter
 * @property {string} object the kind of record that it counts
 * @property {string} name
 * @property {number} value
 * @property {number} changes how often it has changed since the page was opened
 */

/**
 * @typedef {object} Happening
 * @property {string} key
 * @property {Date} at
 * @property {'opened' | 'changed' | 'closed' | 'rejected' | 'removed' | 'missed'} kind
 * @property {Issue} [issue]
 */

/** @typedef {{ counters: Counter[], events: Happening[] }} Office */

/** @type {Office} */
export const emptyOffice = { counters: [], events: [] }

/** @param {number | Record<string, number>} value one number, or one for each folder */
const total = (value) => (typeof value === 'number' ? value : Object.values(value).reduce((sum, each) => sum + each, 0))

/**
 * @param {Office} office
 * @param {Counters} counters all counters with their current values
 * @returns {Office}
 */
export function withCounters(office, counters) {
  const known = new Map(office.counters.map((counter) => [`${counter.object} ${counter.name}`, counter]))
  const counted = Object.entries(counters).flatMap(([object, numbers]) =>
    Object.entries(numbers).map(([name, number]) => {
      const before = known.get(`${object} ${name}`)
      const value = total(number)
      const changes = before ? before.changes + Number(before.value !== value) : 0
      return { object, name, value, changes }
    }),
  )
  return { ...office, counters: counted }
}

/**
 * @param {Office} office
 * @param {Issue} issue the current state; only its id when the case was removed
 * @param {Date} at
 * @returns {Office}
 */
export function withIssue(office, issue, at) {
  const kind = kindOf(issue)
  // After a reconnect the stream may repeat events.
  const key = `${issue.id} ${issue.version ?? kind}`
  const told = office.events.some((event) => event.key === key)
  const seen = office.events.find((event) => event.issue?.id === issue.id)?.issue
  return told ? office : withEvent(office, { key, at, kind, issue: kind === 'removed' ? { ...seen, ...issue } : issue })
}

/**
 * Adds the note that events were missed: too many for the server to send them one by one.
 * @param {Office} office
 * @param {Date} at
 */
export const withGap = (office, at) => withEvent(office, { key: `gap ${Number(at)}`, at, kind: 'missed' })

/**
 * @param {Office} office
 * @param {Happening} event
 * @returns {Office}
 */
const withEvent = (office, event) => ({ ...office, events: [event, ...office.events].slice(0, maxEvents) })

/**
 * @param {Issue} issue
 * @returns {Happening['kind']}
 */
function kindOf({ status, version }) {
  if (status === undefined) return 'removed'
  if (status === 'closed' || status === 'rejected') return status
  return Number(version) === 1 ? 'opened' : 'changed'
}
