import { conflict, invalid } from '@caseway/kit/errors'

/** The bytes of a file leave only when the scanner has found nothing. */
export const fileNotClean = () => conflict('FILE_NOT_CLEAN', 'The file has not passed the virus scan.')

/** The record is there and the bytes are not: a matter of the operator, who may have a backup. */
export const fileLost = () => conflict('FILE_NOT_EXISTS', 'The storage does not have the bytes of the file.')

export const quotaExceeded = () => conflict('QUOTA_EXCEEDED', 'The storage quota of the office is exhausted.')

/** What the file is attached to changes faster than its deletion can ask about it. */
export const fileBusy = () => conflict('FILE_BUSY', 'The file is being attached by other requests.', 1)

export const fileMissing = () => invalid({ file: 'is required' })
export const severalFiles = () => invalid({ file: 'must be one file' })

/** The body ended before its last boundary, or is no `multipart/form-data`. */
export const unreadableUpload = () => invalid({ body: 'must be complete multipart/form-data' })
