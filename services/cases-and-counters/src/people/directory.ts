import type { Id } from '@caseway/kit/caller'

/** Copied states; of each thing the one with the highest revision is the newest. */
export interface CopiedUser {
  readonly id: Id
  readonly customerId: Id
  readonly active: boolean
  readonly revision: bigint
}

export interface CopiedCustomer {
  readonly id: Id
  readonly timeZone: string
  readonly revision: bigint
}

export interface CopiedLink {
  readonly id: Id
  readonly customerId: Id
  readonly clientId: Id
  /** The client has accepted, and the office has neither ended the link nor banned him. */
  readonly linked: boolean
  readonly revision: bigint
}

/** Who is who at this moment, by the one who decides. */
export interface Directory {
  /** Whether he works at the office. */
  hasUser(customerId: Id, id: Id): Promise<boolean>
  isLinked(customerId: Id, clientId: Id): Promise<boolean>
  customers(): AsyncIterable<CopiedCustomer[]>
  users(): AsyncIterable<CopiedUser[]>
  links(): AsyncIterable<CopiedLink[]>
}
