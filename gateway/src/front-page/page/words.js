import { ApiError } from './api.js'
import { SessionOver } from './session.js'

/** The counters that are shown, in order. */
export const groups = [
  {
    object: 'Issue',
    title: 'Cases',
    labels: { my: 'Mine', unassigned: 'Unassigned', unaccepted: 'To accept', delegated: 'Delegated' },
  },
  {
    object: 'MailReceivedMysqlMessage',
    title: 'Mail',
    labels: {
      clients: 'Clients',
      offices: 'Offices',
      providers: 'Providers',
      leads: 'Leads',
      others: 'Others',
      drafts: 'Drafts',
      customFolders: 'Own folders',
    },
  },
]

const unreachable = 'Caseway cannot be reached. Check your connection and try again.'

/** The transitions that the page offers, by the status of a case; the server decides which are allowed. */
export const moves = {
  new: [
    { label: 'Take', status: 'open' },
    { label: 'Reject', status: 'rejected' },
  ],
  unaccepted: [
    { label: 'Accept', status: 'open' },
    { label: 'Reject', status: 'rejected' },
  ],
  open: [
    { label: 'Put aside', status: 'pending' },
    { label: 'Close', status: 'closed' },
  ],
  pending: [
    { label: 'Take up again', status: 'open' },
    { label: 'Close', status: 'closed' },
  ],
  closed: [{ label: 'Reopen', status: 'open' }],
  rejected: [{ label: 'Reopen', status: 'open' }],
}

/** Labels of the states of a reply that was not sent yet. */
export const replyStates = { draft: 'Draft', to_review: 'Waits for its review', rejected: 'Rejected by its review' }

/** Labels of the results of a virus scan. */
export const scanStates = {
  pending: 'Is being scanned for viruses',
  ok: 'No virus found',
  infected: 'Infected, cannot be downloaded',
  failed: 'Could not be scanned, cannot be downloaded',
}

/** @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/**
 * The sentence for an error.
 * @param {unknown} error
 */
export function whyNot(error) {
  if (error instanceof SessionOver) return 'Your session has ended. Sign in again.'
  if (!(error instanceof ApiError)) return unreachable
  const { status, code, message, retryAfterSeconds } = error
  if (status === 429) return `Too many tries. Wait ${duration(retryAfterSeconds ?? 60)} and try again.`
  if (status === 413) return 'This is larger than what the installation takes.'
  if (status >= 500) return 'Caseway is not available at the moment. Try again shortly.'
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return 'This page may not sign people in here. Tell whoever runs this installation.'
  return message
}

/** @param {number} seconds */
const duration = (seconds) => (seconds === 1 ? '1 second' : `${seconds} seconds`)
