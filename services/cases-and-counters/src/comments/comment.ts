import { type Employee, experts, type Id } from '@caseway/kit/caller'

/** Whether an employee may change a comment: their own, or as an administrator or expert any. */
export const mayChange = ({ userId, role }: Pick<Employee, 'userId' | 'role'>, comment: { readonly userId: Id }): boolean =>
  comment.userId === userId || experts.includes(role)
