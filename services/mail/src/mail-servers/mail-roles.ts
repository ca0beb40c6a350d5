/** Who has mailboxes. The specification's table leaves administrators out. */
export const mailRoles = ['expert', 'specialist', 'trainee'] as const
