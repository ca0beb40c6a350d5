import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Tx } from '../database.js'
import type { AttachedFiles } from '../files/attached-file.js'
import type { Status } from '../issues/issue.js'
import type { OwnIssues } from '../issues/named-issue.js'
import type { Fact } from '../notifications/notification.js'
import type { ReplyFact } from '../reports/reply-fact.js'
import type { CasePeople } from './sentence-notices.js'
import type { Waiting } from './waiting.js'

/** The fields of a case that its sentences use. */
export interface CaseOfSentences extends CasePeople, Waiting {
  readonly id: Id
  readonly customerId: Id
  readonly userClientId: Id | null
  readonly status: Status
}

/** Writes sentences while their case is locked, and returns its new waiting times; the case is published afterwards. */
export type WriteInCase = (issue: CaseOfSentences, tx: Tx) => Promise<Waiting>

/** The part of the cases module that sentences use. */
export interface CasesOfSentences {
  readonly own: OwnIssues
  some(caller: Employee, ids: readonly Id[]): Promise<readonly { readonly id: Id }[]>
  keep(tx: object, caller: Employee, ids: readonly Id[]): Promise<readonly CaseOfSentences[]>
  change(caller: Employee, id: Id, write: WriteInCase): Promise<void>
  /** @throws AppError `forbidden` after the link of the client has ended, `not-found` if the client does not see the case */
  changeOwn(client: Client, id: Id, write: WriteInCase): Promise<void>
}

/** The parts of other modules that sentences use: statements that notify and count in the same transaction. */
export interface SentenceParts {
  readonly issues: CasesOfSentences
  /** Reads the files of sentences. */
  readonly attached: AttachedFiles
  readonly notify: (fact: Fact) => BatchStatement
  readonly count: (fact: ReplyFact) => Promise<BatchStatement>
}
