import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Tx } from '../database.js'
import type { AttachedFiles } from '../files/attached-file.js'
import type { Status } from '../issues/issue.js'
import type { OwnIssues } from '../issues/named-issue.js'
import type { Fact } from '../notifications/notification.js'
import type { ReplyFact } from '../reports/reply-fact.js'
import type { People } from './sentence-notices.js'
import type { Waiting } from './waiting.js'

/** What sentences look at of their case. */
export interface CaseOfSentences extends People, Waiting {
  readonly id: Id
  readonly customerId: Id
  readonly userClientId: Id | null
  readonly status: Status
}

/** Writes sentences while their case is locked, and gives what they say about it; the case is published then. */
export type WriteInCase = (issue: CaseOfSentences, tx: Tx) => Promise<Waiting>

/** What the module of cases does for their sentences. */
export interface CasesOfSentences {
  readonly own: OwnIssues
  some(caller: Employee, ids: readonly Id[]): Promise<readonly { readonly id: Id }[]>
  keep(tx: object, caller: Employee, ids: readonly Id[]): Promise<readonly CaseOfSentences[]>
  change(caller: Employee, id: Id, write: WriteInCase): Promise<void>
  /** @throws AppError `forbidden` after the link of the client has ended, `not-found` where they see nothing */
  changeOwn(client: Client, id: Id, write: WriteInCase): Promise<void>
}

/** What sentences need of others: to notify, and to count for the reports, each by a statement of the transaction. */
export interface SentenceParts {
  readonly issues: CasesOfSentences
  /** The files of some sentences. */
  readonly attached: AttachedFiles
  readonly notify: (fact: Fact) => BatchStatement
  readonly count: (fact: ReplyFact) => BatchStatement
}
