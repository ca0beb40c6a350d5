import { conflict, forbidden, invalid } from '@caseway/kit/errors'

/** A field that points at a record which the caller's office does not have; the same for a foreign id and an unknown one. */
export const noSuchRecord = (field: string) => invalid({ [field]: 'does not exist' })

/** Somebody signs in with this address already, at whatever office. */
export const emailTaken = () => invalid({ email: 'is already used' })

/** Another account has it, or the account is not new: only a new one gets an id of the external platform. */
export const externalUserIdTaken = () => invalid({ external_user_id: 'cannot be set: it is used already, or the account is not new' })

export const wrongCurrentPassword = () => invalid({ current_password: 'is not right' })
export const samePassword = () => invalid({ password: 'must not be the present one' })
export const noCurrentPassword = () => invalid({ current_password: 'is required' })

/** Nobody gives a right that they lack. */
export const rightLacking = () => forbidden()

export const roleInUse = () => conflict('ROLE_IN_USE', 'People have this role.')
export const builtInRole = () => conflict('ROLE_BUILT_IN', 'Every office has this role.')

/** An office must be able to manage itself. */
export const lastAdministrator = () => conflict('LAST_ADMINISTRATOR', 'The office would be left without an administrator.')

export const alreadyLinked = () => conflict('ALREADY_LINKED', 'The link exists already.')
