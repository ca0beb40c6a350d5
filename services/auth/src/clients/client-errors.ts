import { conflict, invalid } from '@caseway/kit/errors'

/** Another account has the id, or the address has an account already: only a new account gets an id of the external platform this way. */
export const externalUserIdTaken = () => invalid({ external_user_id: 'cannot be set: it is used already, or the account is not new' })

/** Another account has the id. */
export const externalUserIdUsed = () => invalid({ external_user_id: 'is already used' })

export const alreadyLinked = () => conflict('ALREADY_LINKED', 'The link exists already.')
