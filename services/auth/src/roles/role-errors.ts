import { conflict, forbidden } from '@caseway/kit/errors'

/** Nobody gives a right that they lack. */
export const rightLacking = () => forbidden()

export const roleInUse = () => conflict('ROLE_IN_USE', 'People have this role.')
export const builtInRole = () => conflict('ROLE_BUILT_IN', 'Every office has this role.')

/** An office must be able to manage itself. */
export const lastAdministrator = () => conflict('LAST_ADMINISTRATOR', 'The office would be left without an administrator.')
