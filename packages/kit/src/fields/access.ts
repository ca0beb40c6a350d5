import type { Access, Field, ReadOnly } from './field.js'

type With<A extends Access, C extends Partial<Access>> = Access & { [K in keyof Access]: K extends keyof C ? C[K] : A[K] }
type Input<A extends Access> = A extends ReadOnly ? With<A, { create: true; update: true }> : A

const having =
  <const C extends Partial<Access>>(change: C) =>
  <Value, A extends Access>(kind: Field<Value, A>) =>
    ({ ...kind, access: { ...kind.access, ...change } }) as Field<Value, With<A, C>>

/** The same kind, accepted by create and update. */
export const writable = having({ create: true, update: true })

/** The same kind, accepted by create only. */
export const once = having({ create: true, update: false })

/** The same kind, accepted by update only: for instance a state whose first value is fixed. */
export const updatable = having({ create: false, update: true })

/**
 * The same kind, which every create must send, and no request may send as null or blank text (unless it `mayBeEmpty`). `writable`, unless it is `once` or `updatable`.
 * @param missing the text of the error. Default `is required`
 */
export const required = <Value, A extends Access>(kind: Field<Value, A>, missing?: string) =>
  having({ required: true })({ ...input(kind), ...(missing !== undefined && { missing }) })

/** The same kind, accepted but never shown, such as a password. It has no column. `writable`, unless it is `once` or `updatable`. */
export const writeOnly = <Value, A extends Access>(kind: Field<Value, A>) => having({ shown: false })(input(kind))

const input = <Value, A extends Access>(kind: Field<Value, A>) =>
  (kind.access.create || kind.access.update ? kind : writable(kind)) as Field<Value, Input<A>>
