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

  /** @param {Partial<import('./mailboxes.js').Connecting>} changes */
  const changeConnecting = (changes) => {
    const { connecting } = current()
    if (connecting) change({ connecting: { ...connecting, ...changes } })
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
   * @param {string} password
   * @returns {Promise<string[]>} a sentence for each server at which the sign-in fails
   */
  async function tried(password) {
    const { connecting = newConnecting } = current()
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

  /** @param {string} password */
  async function create(password) {
    const { connecting = newConnecting, boxes = [] } = current()
    const { address } = connecting
    for (const way of ways) {
      const isThere = boxes.some(({ user_email, server_protocol }) => user_email === address && server_protocol === protocols[way])
      if (isThere) continue
      const person = { user_name: address, user_email: address, user_login: address, user_password: password }
      const MailServer = { ...person, server_protocol: protocols[way], ...connecting.servers[way] }
      await send('rest/mail_server', { MailServer }, { token: await session.token() })
      await list()
    }
  }

  return {
    watch,

    begin: () => change({ connecting: newConnecting }),
    cancel: () => change({ connecting: undefined }),

    /** @param {string} address */
    setAddress(address) {
      const { connecting } = current()
      if (connecting) change({ connecting: withAddress(connecting, address.trim()) })
    },

    /**
     * @param {Way} way
     * @param {Partial<import('./mailboxes.js').Place>} place
     */
    setPlace(way, place) {
      const { connecting } = current()
      if (connecting) change({ connecting: withPlace(connecting, way, place) })
    },

    /**
     * Tests both servers, and creates the mailboxes if both work.
     * @param {string} password
     * @returns {Promise<boolean>} whether the mailbox is connected
     */
    async connect(password) {
      changeConnecting({ busy: true, problems: [] })
      try {
        const problems = await tried(password)
        if (problems.length === 0) await create(password)
        if (problems.length === 0) change({ connecting: undefined })
        else changeConnecting({ busy: false, problems })
        return problems.length === 0
      } catch (error) {
        changeConnecting({ busy: false, problems: [whyNot(error)] })
        return false
      }
    },
  }
}
