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

/** Of a link between a client and an office. `banned` goes before everything else. */
export type LinkState = 'invited' | 'active' | 'ended' | 'banned'

export interface CopiedLink {
  readonly id: Id
  readonly customerId: Id
  readonly clientId: Id
  readonly state: LinkState
  readonly revision: bigint
}

/** Who is who at this moment, by the one who decides. */
export interface Directory {
  /** Whether they work at the office. */
  hasUser(customerId: Id, id: Id): Promise<boolean>
  /** The link of the two; undefined when there has never been one. */
  link(customerId: Id, clientId: Id): Promise<CopiedLink | undefined>
  customers(): AsyncIterable<CopiedCustomer[]>
  users(): AsyncIterable<CopiedUser[]>
  links(): AsyncIterable<CopiedLink[]>
}
