import { redeem, takeMailedLink } from './mailed-link.js'
import { html, render } from './modules/lit-html/lit-html.js'
import { brand } from './views/brand.js'
import { doneWith, mailedLinkView } from './views/mailed-link.js'
import { whyNot } from './words.js'

const place = /** @type {HTMLElement} */ (document.getElementById('page'))

/** @param {string} notice */
const noticeView = (notice) => html`
  <main class="sign-in">
    ${brand('h1')}
    <p class="notice" role="status" tabindex="-1">${notice}</p>
    <p class="aside">Here for the API? <a href="docs">Read it and try it out</a>.</p>
  </main>
`

/** @param {string} notice */
const say = (notice) => render(noticeView(notice), place)

/** @param {string} selector */
const focus = (selector) => /** @type {HTMLElement | null} */ (place.querySelector(selector))?.focus()

/** @param {import('./mailed-link.js').MailedLink} link */
function open(link) {
  /** @param {{ busy: boolean, problem?: string }} state */
  const show = (state) => render(mailedLinkView({ link, ...state }, use), place)

  /** @param {{ password?: string }} body */
  const use = async (body) => {
    show({ busy: true })
    try {
      await redeem(link, body)
      say(`${doneWith(link)} Sign in with the application of your office.`)
      focus('.notice')
    } catch (problem) {
      show({ busy: false, problem: whyNot(problem) })
      focus('[name=password], button')
    }
  }
  show({ busy: false })
  focus('[name=password], button')
}

function openAddress() {
  const link = takeMailedLink()
  if (link) open(link)
  else say('This is the address for clients. Sign in with the application of your office.')
}

addEventListener('hashchange', openAddress)
openAddress()
