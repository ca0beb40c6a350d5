import { send } from './api.js'

/** The purposes of links in mails; each is a resource of the API. */
const purposes = /** @type {const} */ (['password_reset', 'invitation', 'email_confirmation'])

/** @typedef {{ purpose: typeof purposes[number], token: string }} MailedLink */

/**
 * Parses the link of a mail, `#/invitation/<token>`, from the address, and removes it there, so that the token does not stay in the history.
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
 * Redeems a link, which works once.
 * @param {MailedLink} link
 * @param {{ password?: string }} body the new password, except for the confirmation of an address
 */
export const redeem = ({ purpose, token }, body) => send(`rest/${purpose}/${token}`, body)
