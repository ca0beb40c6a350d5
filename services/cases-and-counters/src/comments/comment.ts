import { type Employee, experts, type Id } from '@caseway/kit/caller'

/** Everybody writes their own comments, experts those of others as well. */
export const mayChange = ({ userId, role }: Pick<Employee, 'userId' | 'role'>, comment: { readonly userId: Id }): boolean =>
  comment.userId === userId || experts.includes(role)
