import { html, nothing } from '../modules/lit-html/lit-html.js'
import { brand } from './brand.js'

/**
 * @param {import('../main.js').SignedOut} state
 * @param {import('../main.js').Actions} actions
 */
export const signInView = ({ busy, problem, notice, otp }, { signIn }) => html`
  <main class="sign-in">
    ${brand('h1')}
    <p class="lead">Cases and counters of your office, as they change.</p>
    <p class="notice" role="status">${notice}</p>
    <form method="post" aria-busy=${busy} @submit=${submit(signIn)}>
      <label for="username">E-mail</label>
      <input id="username" name="username" type="text" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" required>
      <label for="password">Password</label>
      <input
        id="password" name="password" type="password" autocomplete="current-password" required
        aria-invalid=${problem ? 'true' : 'false'} aria-describedby="problem"
      >
      ${otp ? otpView(problem) : nothing}
      <p class="problem" id="problem" role="alert">${problem ?? nothing}</p>
      <button class="primary" ?disabled=${busy}>${busy ? 'Signing in …' : 'Sign in'}</button>
    </form>
    <p class="aside">Here for the API? <a href="docs">Read it and try it out</a>.</p>
  </main>
`

/** @param {string | undefined} problem */
const otpView = (problem) => html`
  <label for="otp">One-time password, or a recovery code</label>
  <input
    id="otp" name="otp" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required
    aria-invalid=${problem ? 'true' : 'false'} aria-describedby="problem"
  >
`

/** @param {import('../main.js').Actions['signIn']} signIn */
const submit = (signIn) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target))
  const otp = fields.get('otp')
  const credentials = { username: String(fields.get('username')).trim(), password: String(fields.get('password')) }
  signIn(otp === null ? credentials : { ...credentials, otp: String(otp).trim() })
}
