import { ApiError, read, send } from './api.js'
import { pause } from './backoff.js'
import { failureText, isPending, newConnecting, protocols, wayLabels, withAddress, withPlace } from './mailboxes.js'
import { whyNot } from './words.js'

/** @typedef {import('./mailboxes.js').Mail} Mail */
/** @typedef {import('./mailboxes.js').Way} Way */

/** Polling intervals of the mailboxes: while one is being fetched for the first time, and otherwise. */
const soonMs = 1_000
const laterMs = 15_000

/** @type {Way[]} */
const ways = ['receiving', 'sending']

/**
 * What a user does with their mailboxes. Nothing throws: errors are shown.
 * @param {import('./session.js').Session} session
 * @param {string} userId
 * @param {() => Mail} current
 * @param {(mail: Mail) => void} show
 * @param {AbortSignal} left aborted when the user leaves
 */
export function mailDeskOf(session, userId, current, show, left) {
  /** @param {Partial<Mail>} changes */
  const change = (changes) => show({ ...current(), ...changes })

  /**
   * Applies what a user enters; nothing changes while the servers are being tried.
   * @param {(connecting: import('./mailboxes.js').Connecting) => import('./mailboxes.js').Connecting} entered
   */
  const enter = (entered) => {
    const { connecting } = current()
    if (connecting && !connecting.busy) change({ connecting: entered(connecting) })
  }

  /** @returns {Promise<boolean>} false for a role without mailboxes */
  async function list() {
    try {
      const found = await read(`rest/mail_server?user_id=${userId}&sort=id`, await session.token())
      change({ boxes: found.map((/** @type {any} */ { MailServer }) => MailServer), problem: undefined })
    } catch (error) {
      // A role without mailboxes is refused with 403, and nothing is shown.
      if (error instanceof ApiError && error.status === 403) return false
      change({ problem: whyNot(error) })
    }
    return true
  }

  /** Polls the mailboxes until the user leaves; not for a role without mailboxes. */
  async function watch() {
    while (!left.aborted && (await list())) await pause(current().boxes?.some(isPending) ? soonMs : laterMs, left)
  }

  /**
   * @param {import('./mailboxes.js').Connecting} connecting
   * @param {string} password
   * @returns {Promise<string[]>} a sentence for each server at which the sign-in fails
   */
  async function tried(connecting, password) {
    const token = await session.token()
    const outcomes = await Promise.all(
      ways.map(async (way) => {
        const login = { user_login: connecting.address, user_password: password, server_protocol: protocols[way] }
        const { MailServerTest: outcome } = await send(
          'rest/mail_server/test',
          { MailServer: { ...login, ...connecting.servers[way] } },
          { token },
        )
        return outcome.ok ? [] : [`${wayLabels[way]}: ${failureText(outcome.failed)}`]
      }),
    )
    return outcomes.flat()
  }

  /**
   * Creates both mailboxes. One that is there, of an earlier attempt or because its server has changed, is changed.
   * @param {import('./mailboxes.js').Connecting} connecting
   * @param {string} password
   */
  async function create({ address, servers }, password) {
    const { boxes = [] } = current()
    for (const way of ways) {
      const known = boxes.find(({ user_email, server_protocol }) => user_email === address && server_protocol === protocols[way])
      const login = { user_login: address, user_password: password, server_protocol: protocols[way], ...servers[way] }
      const token = await session.token()
      if (known) await send(`rest/mail_server/${known.id}`, { MailServer: login }, { method: 'PUT', token })
      else await send('rest/mail_server', { MailServer: { ...login, user_name: address, user_email: address } }, { token })
      await list()
    }
  }

  return {
    watch,

    begin: () => change({ connecting: newConnecting }),
    cancel: () => change({ connecting: undefined }),

    /** @param {string} address */
    setAddress(address) {
      enter((connecting) => withAddress(connecting, address.trim()))
    },

    /**
     * @param {Way} way
     * @param {Partial<import('./mailboxes.js').Place>} place
     */
    setPlace(way, place) {
      enter((connecting) => withPlace(connecting, way, place))
    },

    /**
     * Tests both servers, and creates the mailboxes if both work and the user has not cancelled meanwhile.
     * @param {string} password
     */
    async connect(password) {
      const { connecting } = current()
      if (!connecting || connecting.busy) return
      const attempt = { ...connecting, busy: true, problems: [] }
      const isCurrent = () => current().connecting === attempt
      change({ connecting: attempt })
      try {
        const problems = await tried(attempt, password)
        if (!isCurrent()) return
        if (problems.length === 0) await create(attempt, password)
        if (isCurrent()) change({ connecting: problems.length === 0 ? undefined : { ...attempt, busy: false, problems } })
      } catch (error) {
        if (isCurrent()) change({ connecting: { ...attempt, busy: false, problems: [whyNot(error)] } })
      }
    },
  }
}
