import { AppError } from '@caseway/kit/errors'

/** A client reads on after the link with the office has ended, and writes nothing there. */
export const linkEnded = () => new AppError('forbidden', 'LINK_ENDED', 'Your link with this office is not active.')
