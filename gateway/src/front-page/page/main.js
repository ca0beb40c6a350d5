import { request } from './api.js'
import { render } from './modules/lit-html/lit-html.js'
import { Session } from './session.js'
import { page } from './views/page.js'
import { follow, lookAround } from './visit.js'
import { whyNot } from './words.js'

/** @typedef {{ name: 'signed-out', busy: boolean, problem?: string, notice?: string }} SignedOut */
/** @typedef {{ name: 'office' } & import('./visit.js').Visit} InOffice */
/** @typedef {SignedOut | InOffice} State */

/**
 * @typedef {object} Actions
 * @property {(credentials: { username: string, password: string }) => void} signIn
 * @property {() => void} signOut
 */

const place = /** @type {HTMLElement} */ (document.getElementById('page'))

/** @type {Session | undefined} */
let session
let leaving = new AbortController()

/** @param {State} state */
const show = (state) => render(page(state, actions), place)

/** @param {string} selector */
const focus = (selector) => /** @type {HTMLElement | null} */ (place.querySelector(selector))?.focus()

/** @type {Actions} */
const actions = {
  async signIn(credentials) {
    show({ name: 'signed-out', busy: true })
    try {
      const { client_id } = await (await request('front-page/settings.json')).json()
      session = await Session.begin(client_id, credentials)
      await enter(session)
    } catch (problem) {
      session?.abandon()
      session = undefined
      show({ name: 'signed-out', busy: false, problem: whyNot(problem) })
      focus('[name=password]')
    }
  },

  async signOut() {
    const ended = session
    leave('You are signed out.')
    try {
      await ended?.end()
    } catch {
      leave('You are signed out here, but Caseway could not be told: the session ends by itself.')
    }
  },
}

/** @param {Session} entered */
async function enter(entered) {
  const visit = await lookAround(entered)
  leaving = new AbortController()
  const { signal } = leaving
  /** @param {import('./visit.js').Visit} now */
  const showVisit = (now) => {
    if (!signal.aborted) show({ name: 'office', ...now })
  }
  showVisit(visit)
  focus('h1')
  follow(entered, visit, showVisit, signal).catch(() => {
    if (!signal.aborted) leave('Your session has ended. Sign in again.')
  })
}

/** @param {string} notice */
function leave(notice) {
  leaving.abort()
  session = undefined
  show({ name: 'signed-out', busy: false, notice })
  focus('[name=username]')
}

// What a page that is gone knew is known to nobody: its session is of no more use.
addEventListener('pagehide', () => session?.abandon())

show({ name: 'signed-out', busy: false })
focus('[name=username]')
