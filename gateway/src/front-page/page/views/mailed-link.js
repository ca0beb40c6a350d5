import { html, nothing } from '../modules/lit-html/lit-html.js'
import { brand } from './brand.js'

/** @typedef {{ link: import('../mailed-link.js').MailedLink, busy: boolean, problem?: string }} Opened */

const newPassword = { button: 'Set the password', done: 'Your password is set.' }

const words = {
  invitation: { ...newPassword, title: 'Welcome to Caseway', lead: 'Choose the password with which you will sign in.' },
  password_reset: { ...newPassword, title: 'A new password', lead: 'It takes the place of the one that you have lost.' },
  email_confirmation: {
    title: 'Your new address',
    lead: 'Confirm it, and sign in with it from then on.',
    button: 'Confirm the address',
    done: 'Your address is confirmed.',
  },
}

/**
 * The text after a link was redeemed.
 * @param {import('../mailed-link.js').MailedLink} link
 */
export const doneWith = ({ purpose }) => words[purpose].done

/**
 * @param {Opened} state
 * @param {(body: { password?: string }) => void} redeem
 */
export const mailedLinkView = ({ link, busy, problem }, redeem) => {
  const { title, lead, button } = words[link.purpose]
  return html`
    <main class="sign-in">
      ${brand('p')}
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      <form method="post" aria-busy=${busy} @submit=${submit(redeem)}>
        ${link.purpose === 'email_confirmation' ? nothing : passwordView(problem)}
        <p class="problem" id="problem" role="alert">${problem ?? nothing}</p>
        <button class="primary" ?disabled=${busy}>${busy ? 'One moment …' : button}</button>
      </form>
    </main>
  `
}

/** @param {string | undefined} problem */
const passwordView = (problem) => html`
  <label for="new-password">New password</label>
  <input
    id="new-password" name="password" type="password" autocomplete="new-password" required
    aria-invalid=${problem ? 'true' : 'false'} aria-describedby="problem"
  >
`

/** @param {(body: { password?: string }) => void} redeem */
const submit = (redeem) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  const password = new FormData(/** @type {HTMLFormElement} */ (event.target)).get('password')
  redeem(password === null ? {} : { password: String(password) })
}
