import { ApiError } from './api.js'

/** What is counted, in the order in which it is shown. */
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

/**
 * A sentence for whoever could not sign in.
 * @param {unknown} error
 */
export function whyNot(error) {
  if (!(error instanceof ApiError)) return unreachable
  const { status, code, message, retryAfterSeconds } = error
  if (status === 429) return `Too many tries. Wait ${duration(retryAfterSeconds ?? 60)} and try again.`
  if (status >= 500) return 'Caseway is not available at the moment. Try again shortly.'
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return 'This page may not sign people in here. Tell whoever runs this installation.'
  return message
}

/** @param {number} seconds */
const duration = (seconds) => (seconds === 1 ? '1 second' : `${seconds} seconds`)
