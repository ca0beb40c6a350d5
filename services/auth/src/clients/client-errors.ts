import { conflict, invalid } from '@caseway/kit/errors'

/** Another account has it, or the account is not new: only a new one gets an id of the external platform. */
export const externalUserIdTaken = () => invalid({ external_user_id: 'cannot be set: it is used already, or the account is not new' })

/** Another account has it. */
export const externalUserIdUsed = () => invalid({ external_user_id: 'is already used' })

export const alreadyLinked = () => conflict('ALREADY_LINKED', 'The link exists already.')
