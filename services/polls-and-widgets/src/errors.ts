import { conflict } from '@caseway/kit/errors'

/** A poll is published until its `closes_at`. */
export const pollClosed = () => conflict('POLL_CLOSED', 'The poll has closed.')

/** What was answered says by the poll what it means. A poll can be closed. */
export const pollAnswered = () => conflict('POLL_ANSWERED', 'There are answers to this poll.')
