import { send } from './api.js'

/** What the links of mails are for: the last part but one of a path of the API. */
const purposes = /** @type {const} */ (['password_reset', 'invitation', 'email_confirmation'])

/** @typedef {{ purpose: typeof purposes[number], token: string }} MailedLink */

/**
 * The link of a mail that led here, `#/invitation/<token>`. It is taken out of the address, so that the token stays in no history.
 * @returns {MailedLink | undefined}
 */
export function takeMailedLink() {
  const [, name, token = ''] = /^#\/([a-z_]+)\/([\w-]+)$/.exec(location.hash) ?? []
  const purpose = purposes.find((known) => known === name)
  if (purpose === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  return { purpose, token }
}

/**
 * Does what the link is for; it is good for that once.
 * @param {MailedLink} link
 * @param {{ password?: string }} body a password, unless an address is confirmed
 */
export const redeem = ({ purpose, token }, body) => send(`rest/${purpose}/${token}`, body)
