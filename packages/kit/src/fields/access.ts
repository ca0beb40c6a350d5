import type { Access, Field, ReadOnly } from './field.js'

type With<A extends Access, C extends Partial<Access>> = Access & { [K in keyof Access]: K extends keyof C ? C[K] : A[K] }
type Input<A extends Access> = A extends ReadOnly ? With<A, { create: true; update: true }> : A

const having =
  <const C extends Partial<Access>>(change: C) =>
  <Value, A extends Access>(kind: Field<Value, A>) =>
    ({ ...kind, access: { ...kind.access, ...change } }) as Field<Value, With<A, C>>

/** The same kind, input at create and at update. */
export const writable = having({ create: true, update: true })

/** The same kind, input at create alone. */
export const once = having({ create: true, update: false })

/** The same kind, input at update alone: a state that a new record has by a rule. */
export const updatable = having({ create: false, update: true })

/**
 * The same kind, which no create may leave out and no request may leave blank. Writable where it is not `once` or `updatable`.
 * @param missing what is said then; `is required` by default
 */
export const required = <Value, A extends Access>(kind: Field<Value, A>, missing?: string) =>
  having({ required: true })({ ...input(kind), ...(missing !== undefined && { missing }) })

/** The same kind, input and never shown: a password. It has no column. Writable where it is not `once` or `updatable`. */
export const writeOnly = <Value, A extends Access>(kind: Field<Value, A>) => having({ shown: false })(input(kind))

const input = <Value, A extends Access>(kind: Field<Value, A>) =>
  (kind.access.create || kind.access.update ? kind : writable(kind)) as Field<Value, Input<A>>
