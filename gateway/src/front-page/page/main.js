import { ApiError, request } from './api.js'
import { redeem, takeMailedLink } from './mailed-link.js'
import { render } from './modules/lit-html/lit-html.js'
import { Session } from './session.js'
import { doneWith } from './views/mailed-link.js'
import { page } from './views/page.js'
import { lookAround, stay } from './visit.js'
import { whyNot } from './words.js'

/** @typedef {{ name: 'signed-out', busy: boolean, otp?: boolean, problem?: string, notice?: string }} SignedOut */
/** @typedef {{ name: 'office' } & import('./visit.js').Visit} InOffice */
/** @typedef {{ name: 'mailed-link' } & import('./views/mailed-link.js').Opened} ByLink */
/** @typedef {SignedOut | InOffice | ByLink} State */

/**
 * @typedef {object} Actions
 * @property {(credentials: { username: string, password: string, otp?: string }) => void} signIn
 * @property {() => void} signOut
 * @property {(link: import('./mailed-link.js').MailedLink) => (body: { password?: string }) => void} redeem
 * @property {(words: string) => void} search
 * @property {(id: string) => void} openCase
 * @property {() => void} closeCase
 * @property {(id: string, body: string) => void} draft
 * @property {(id: string, body: string) => void} answer
 * @property {(id: string, status: string) => void} move
 * @property {Omit<ReturnType<typeof import('./mail-desk.js').mailDeskOf>, 'watch'>} mail
 * @property {Pick<ReturnType<typeof import('./writing-desk.js').writingDeskOf>, 'send'>} writing
 * @property {Omit<ReturnType<typeof import('./case-files.js').caseFilesOf>, 'refresh'>} files
 */

const place = /** @type {HTMLElement} */ (document.getElementById('page'))

/** @type {Session | undefined} */
let session
/** @type {ReturnType<typeof import('./desk.js').deskOf> | undefined} */
let desk
/** @type {ReturnType<typeof import('./mail-desk.js').mailDeskOf> | undefined} */
let mail
/** @type {ReturnType<typeof import('./writing-desk.js').writingDeskOf> | undefined} */
let writing
let leaving = new AbortController()

/** @param {State} state */
const show = (state) => render(page(state, actions), place)

/** @param {string} selector */
const focus = (selector) => /** @type {HTMLElement | null} */ (place.querySelector(selector))?.focus()

/**
 * Changes the page. If the focused element is gone after it, the title of its group is focused, or that of the first group if the whole group is gone.
 * @param {() => void} change
 */
function keepFocus(change) {
  const group = document.activeElement?.closest('section')
  change()
  if (!group || document.activeElement !== document.body) return
  const title = (group.isConnected ? group : place).querySelector('section [tabindex="-1"]')
  if (title instanceof HTMLElement) title.focus()
}

/** Error codes after a correct password: a one-time password is missing, or it was wrong. */
const secondFactorCodes = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG']

/** @type {Actions} */
const actions = {
  async signIn(credentials) {
    const otp = credentials.otp !== undefined
    show({ name: 'signed-out', busy: true, otp })
    try {
      const { client_id } = await (await request('front-page/settings.json')).json()
      session = await Session.begin(client_id, credentials)
      await enter(session)
    } catch (problem) {
      session?.abandon()
      session = undefined
      const isAsked = problem instanceof ApiError && secondFactorCodes.includes(problem.detail)
      show({ name: 'signed-out', busy: false, otp: isAsked, problem: whyNot(problem) })
      focus(isAsked ? '[name=otp]' : '[name=password]')
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

  redeem: (link) => async (body) => {
    show({ name: 'mailed-link', link, busy: true })
    try {
      await redeem(link, body)
      leave(`${doneWith(link)} Sign in with it.`)
    } catch (problem) {
      show({ name: 'mailed-link', link, busy: false, problem: whyNot(problem) })
      focus('[name=password], button')
    }
  },

  search: (words) => void desk?.search(words),

  async openCase(id) {
    if (await desk?.open(id)) focus('#title-case')
  },

  closeCase() {
    desk?.close()
    focus('#title-cases')
  },

  draft: (id, body) => desk?.draft(id, body),
  answer: (id, body) => void desk?.answer(id, body),
  move: (id, status) => void desk?.move(id, status),

  files: {
    attach: (issueId, files) => desk?.files.attach(issueId, files),
    retry: (failed) => desk?.files.retry(failed),
    cancel: (upload) => desk?.files.cancel(upload),
    download: async (file) => desk?.files.download(file),
  },

  mail: {
    begin() {
      mail?.begin()
      focus('#mailbox-address')
    },
    cancel() {
      mail?.cancel()
      focus('#title-mailboxes')
    },
    setAddress: (address) => mail?.setAddress(address),
    setPlace: (way, changes) => mail?.setPlace(way, changes),
    connect: async (password) => mail?.connect(password),
  },

  writing: { send: async (written) => (await writing?.send(written)) ?? false },
}

/** @param {Session} entered */
async function enter(entered) {
  const visit = await lookAround(entered)
  leaving = new AbortController()
  const { signal } = leaving
  /** @param {import('./visit.js').Visit} now */
  const showVisit = (now) => {
    if (!signal.aborted) keepFocus(() => show({ name: 'office', ...now }))
  }
  showVisit(visit)
  focus('h1')
  const staying = stay(entered, visit, showVisit, signal)
  desk = staying.desk
  mail = staying.mail
  writing = staying.writing
  staying.over.catch(() => {
    if (!signal.aborted) leave('Your session has ended. Sign in again.')
  })
}

/** @param {string} notice */
function leave(notice) {
  leaving.abort()
  session = undefined
  desk = undefined
  mail = undefined
  writing = undefined
  show({ name: 'signed-out', busy: false, notice })
  focus('[name=username]')
}

// The tokens are lost with the page, so end the session.
addEventListener('pagehide', () => session?.abandon())

/** A link from a mail takes precedence, also when the page is already open. */
function openAddress() {
  const link = takeMailedLink()
  if (!link) return false
  session?.abandon()
  leave('')
  show({ name: 'mailed-link', link, busy: false })
  focus('[name=password], button')
  return true
}

addEventListener('hashchange', openAddress)
if (!openAddress()) {
  show({ name: 'signed-out', busy: false })
  focus('[name=username]')
}
