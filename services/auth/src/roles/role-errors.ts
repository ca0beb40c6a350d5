import { conflict, forbidden } from '@caseway/kit/errors'

/** Nobody grants a right that they lack. */
export const rightLacking = () => forbidden()

export const roleInUse = () => conflict('ROLE_IN_USE', 'People have this role.')
export const builtInRole = () => conflict('ROLE_BUILT_IN', 'Every office has this role.')

/** Without an administrator an office could not manage itself. */
export const lastAdministrator = () => conflict('LAST_ADMINISTRATOR', 'The office would be left without an administrator.')
