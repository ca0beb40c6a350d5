import { conflict, invalid } from '@caseway/kit/errors'

/** A file can be downloaded only once its scan is `ok`. */
export const fileNotClean = () => conflict('FILE_NOT_CLEAN', 'The file has not passed the virus scan.')

/** The record exists, but not its bytes: the operator may restore them from a backup. */
export const fileLost = () => conflict('FILE_NOT_EXISTS', 'The storage does not have the bytes of the file.')

export const quotaExceeded = () => conflict('QUOTA_EXCEEDED', 'The storage quota of the office is exhausted.')

/** The attachments of the file have changed at every attempt to delete it. */
export const fileBusy = () => conflict('FILE_BUSY', 'The file is being attached by other requests.', 1)

export const fileMissing = () => invalid({ file: 'is required' })
export const severalFiles = () => invalid({ file: 'must be one file' })

/** The body is truncated, or not `multipart/form-data`, or its boundary is not known. */
export const unreadableUpload = () => invalid({ body: 'must be complete multipart/form-data, with its boundary in Content-Type' })
