/**
 * @typedef {object} Box one server of a mailbox, as `GET /rest/mail_server` gives it
 * @property {string} id
 * @property {string} user_email
 * @property {string} server_protocol
 * @property {string} server_address
 * @property {string} state
 * @property {string | null} last_error
 * @property {string | null} last_fetch_at
 */

/** @typedef {{ server_address: string, server_port: string, server_encryption: string }} Place */
/** @typedef {{ receiving: Place, sending: Place }} Servers */
/** @typedef {keyof Servers} Way */

/**
 * @typedef {object} Connecting a mailbox that is being connected; its password is only in the form
 * @property {string} address
 * @property {Servers} servers
 * @property {boolean} chosen the user has edited the servers, so they are no longer guessed
 * @property {boolean} busy
 * @property {string[]} problems
 */

/**
 * @typedef {object} Mail
 * @property {Box[] | undefined} boxes undefined for a role without mailboxes
 * @property {Connecting} [connecting]
 * @property {string} [problem]
 */

/** @type {Mail} */
export const emptyMail = { boxes: undefined }

/** `server_protocol` of the API. */
export const protocols = { sending: '1', receiving: '2' }

/** @type {Record<Way, string>} */
export const wayLabels = { receiving: 'Receiving (IMAP)', sending: 'Sending (SMTP)' }

/**
 * The servers of large providers, for IMAP and SMTP.
 * @type {Record<string, [imap: string, smtp: string, smtpPort?: string]>}
 */
const known = {
  'gmail.com': ['imap.gmail.com', 'smtp.gmail.com'],
  'googlemail.com': ['imap.gmail.com', 'smtp.gmail.com'],
  'outlook.com': ['outlook.office365.com', 'smtp-mail.outlook.com', '587'],
  'hotmail.com': ['outlook.office365.com', 'smtp-mail.outlook.com', '587'],
  'live.com': ['outlook.office365.com', 'smtp-mail.outlook.com', '587'],
  'wp.pl': ['imap.wp.pl', 'smtp.wp.pl'],
  'o2.pl': ['poczta.o2.pl', 'poczta.o2.pl'],
  'onet.pl': ['imap.poczta.onet.pl', 'smtp.poczta.onet.pl'],
  'interia.pl': ['poczta.interia.pl', 'poczta.interia.pl'],
}

/**
 * The servers for an e-mail address: the known ones of its provider, otherwise a guess by its domain.
 * @param {string} address
 * @returns {Servers}
 */
export function serversOf(address) {
  const domain = address.trim().toLowerCase().split('@')[1] ?? ''
  const usual = domain === '' ? ['', ''] : [`imap.${domain}`, `smtp.${domain}`]
  const [imap = '', smtp = '', smtpPort = '465'] = known[domain] ?? usual
  return {
    receiving: { server_address: imap, server_port: '993', server_encryption: '2' },
    sending: { server_address: smtp, server_port: smtpPort, server_encryption: smtpPort === '465' ? '2' : '1' },
  }
}

/** @type {Connecting} */
export const newConnecting = { address: '', servers: serversOf(''), chosen: false, busy: false, problems: [] }

/**
 * @param {Connecting} connecting
 * @param {string} address
 * @returns {Connecting}
 */
export const withAddress = (connecting, address) => ({
  ...connecting,
  address,
  servers: connecting.chosen ? connecting.servers : serversOf(address),
})

/**
 * @param {Connecting} connecting
 * @param {Way} way
 * @param {Partial<Place>} place
 * @returns {Connecting}
 */
export const withPlace = (connecting, way, place) => ({
  ...connecting,
  chosen: true,
  servers: { ...connecting.servers, [way]: { ...connecting.servers[way], ...place } },
})

/** @type {Record<string, string>} */
const failures = {
  dns: 'The mail server was not found.',
  connect: 'The mail server did not answer.',
  tls: 'The connection to the mail server could not be encrypted, or its certificate is not valid.',
  auth: 'The mail server refused the login.',
  protocol: 'The mail server did not answer as its protocol demands, or not in time.',
  authorization: 'The provider gives no access to the mailbox any more. Connect it again.',
}

/**
 * The sentence for an error code of the API.
 * @param {string | null} failed
 */
export const failureText = (failed) => (failed === null ? '' : (failures[failed] ?? 'The mailbox could not be opened.'))

/** @type {Record<string, string>} */
const states = { auth_failed: 'Stopped', config_error: 'Stopped', paused: 'Paused' }

/**
 * The state of a server of a mailbox, as text.
 * @param {Box} box
 */
export function stateText({ state, last_error, last_fetch_at, server_protocol }) {
  if (state !== 'active') return states[state] ?? state
  if (last_error !== null) return 'Is tried again'
  if (server_protocol === protocols.sending) return 'Ready'
  return last_fetch_at === null ? 'Is being fetched for the first time' : `Last fetched ${last_fetch_at}`
}

/**
 * Whether the first fetch of a mailbox is still pending.
 * @param {Box} box
 */
export const isPending = ({ state, last_error, last_fetch_at, server_protocol }) =>
  state === 'active' && server_protocol !== protocols.sending && last_error === null && last_fetch_at === null
