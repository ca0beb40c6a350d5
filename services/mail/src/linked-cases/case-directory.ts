import type { Employee, Id } from '@caseway/kit/caller'

/** The sender of a message. */
export interface Correspondent {
  readonly address: string
  /** The account of the client to whom the address belongs. */
  readonly clientId: Id | null
}

/** Queries of cases-and-counters, which owns the cases. Every call throws AppError `unavailable` where it does not answer. */
export interface CaseDirectory {
  /** Whether the office has the case and the caller sees it. */
  isSeen(caller: Employee, issueId: Id): Promise<boolean>
  exists(customerId: Id, issueId: Id): Promise<boolean>
  isParty(customerId: Id, issueId: Id, sender: Correspondent): Promise<boolean>
}
