import type { Employee, Id } from '@caseway/kit/caller'

/** Who has sent a message. */
export interface Correspondent {
  readonly address: string
  /** The account of the client to whom the address belongs. */
  readonly clientId: Id | null
}

/** What the owner of the cases knows at this moment. Every call throws `unavailable` where it does not answer. */
export interface CaseDirectory {
  /** Whether the office has a case, and the caller sees it. */
  isSeen(caller: Employee, issueId: Id): Promise<boolean>
  exists(customerId: Id, issueId: Id): Promise<boolean>
  isParty(customerId: Id, issueId: Id, sender: Correspondent): Promise<boolean>
}
