import { conflict } from '@caseway/kit/errors'

/** The `closes_at` of the poll has passed. */
export const pollClosed = () => conflict('POLL_CLOSED', 'The poll has closed.')

/** A poll with answers cannot be deleted, because they refer to it. It can be closed. */
export const pollAnswered = () => conflict('POLL_ANSWERED', 'There are answers to this poll.')
