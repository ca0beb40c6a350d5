import type { EmployeeRole } from '@caseway/kit/caller'

/** The roles that have mailboxes. The specification's table leaves administrators out. */
export const mailRoles = ['expert', 'specialist', 'trainee'] as const

export const isMailRole = (role: EmployeeRole): boolean => mailRoles.some((one) => one === role)
