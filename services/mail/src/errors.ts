import { AppError, conflict, invalid } from '@caseway/kit/errors'
/** A new mailbox needs a password, and so does one that gets another address, port or encryption. */
export const passwordNeeded = { user_password: 'is required' }

/** Errors of mailboxes that sign in with OAuth 2.0. */
export const providerUnknown = (field: string) => invalid({ [field]: 'is not configured' })
export const providerServesOthers = () => invalid({ server_address: 'is not a mail server of this provider' })
export const providerNeedsEncryption = () => invalid({ server_encryption: 'must be 1 or 2 with OAuth 2.0' })
export const eitherPasswordOrProvider = () => invalid({ oauth_provider: 'cannot be set beside a password' })
export const redirectUriUnknown = () => invalid({ redirect_uri: 'is not allowed by the configuration' })
export const stateRefused = () => invalid({ state: 'is not valid; ask for a new address of the provider' })
export const codeRefused = () => invalid({ code: 'was refused by the provider' })
export const accessTooShort = () =>
  invalid({ code: 'gives access that cannot be renewed; remove the access at the provider, and agree again' })

/** SMTP does not receive; IMAP and POP3 do not send. */
export const mailboxCannot = (what: 'receive' | 'send') => invalid({ mail_server_id: `cannot ${what}` })

export const couldNotEnqueue = (cause: unknown) =>
  new AppError('invalid', 'VALIDATION_FAILED', 'The request is not valid.', {
    fields: { backfill: 'Could not enqueue backfill request.' },
    cause,
  })

export const backfillInProgress = () => conflict('BACKFILL_IN_PROGRESS', 'A backfill for this mailbox and folder is already in progress.')

export const commandEnded = () => conflict('COMMAND_ENDED', 'The command has ended already.')

export const systemFolderFixed = () => conflict('MAIL_FOLDER_SYSTEM', 'A system folder cannot be changed or deleted.')
export const folderHasChildren = () => conflict('MAIL_FOLDER_HAS_CHILDREN', 'There are folders in this folder.')

/** One error for a parent that does not exist, is a system folder, has another owner, or lies within the folder itself. */
export const folderParent = () => invalid({ parent_id: 'must be a custom folder of the same owner, and not within the folder' })
export const folderTooDeep = (maxDepth: number) => invalid({ parent_id: `must not be within more than ${maxDepth - 1} folders` })

/** Only a message in TRASH can be restored. */
export const messageNotInTrash = () => conflict('MAIL_MESSAGE_NOT_IN_TRASH', 'The message is not in TRASH.')

export const sentMessageState = () => conflict('MAIL_SENT_MESSAGE_STATE', 'The message is being sent, or was sent.')
export const sentMessageBusy = () => conflict('MAIL_SENT_MESSAGE_BUSY', 'The message is being changed by other requests.', 1)

/** Attachments can be downloaded only after a clean scan; the scan may not have ended yet. */
export const attachmentNotClean = () => conflict('FILE_NOT_CLEAN', 'The attachment has not passed the virus scan.')

/** Its mailbox does not download attachments. */
export const attachmentsNotDownloaded = () =>
  conflict('MAIL_ATTACHMENTS_NOT_DOWNLOADED', 'The attachments of the message were not downloaded: it is whole on its mail server alone.')

/** The record exists but its bytes do not: the operator may restore them from a backup. */
export const messageBytesLost = () => conflict('MAIL_MESSAGE_BYTES_LOST', 'The storage does not have the bytes of the message.')
