import { AppError } from '@caseway/kit/errors'

/** After the link with the office has ended, a client may still read there, but not write. */
export const linkEnded = () => new AppError('forbidden', 'LINK_ENDED', 'Your link with this office is not active.')
