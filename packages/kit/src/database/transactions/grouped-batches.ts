import type pg from 'pg'
import { runningSpan } from '../../tracing/index.js'
import type { ScopedBatch } from '../connections/batch-message.js'
import type { Statement } from '../connections/statement.js'
import { isRefusal, isUnavailable, isUncertain, translate } from '../errors.js'
import { compareScopes, scopeKey } from '../scope.js'
import { groupCommit } from './group-commit.js'

/** The results of the statements of a batch. */
export type Answers = readonly pg.QueryResult[]
/** Commits batches as one transaction that begins with `first`. Resolves to the results of each batch. */
export type CommitBatches = (batches: readonly ScopedBatch[], first?: Statement) => Promise<readonly Answers[]>

/** The most batches of one transaction. */
const max = 50

/** The `lock_timeout` of a group, in milliseconds: it is short, because a waiting group holds locks of several offices. */
const lockTimeoutMs = 50
const waitShortly = {
  name: 'kit_wait_shortly',
  text: "SELECT set_config('lock_timeout', $1, true)",
  values: [String(lockTimeoutMs)],
}

/** The batches of a scope that are committed apart from the groups. */
interface Apart {
  commit(batch: ScopedBatch): Promise<Answers>
  /** How many batches have not settled yet. */
  waiting: number
}

/**
 * Group commit of batches: those that arrive while a transaction is under way share the next one. They run in the order of their scopes, so that groups of
 * several processes do not deadlock. When PostgreSQL rejects one of them, or a lock is not free within 50 ms, the group is rolled back, and the batches of
 * each scope get a transaction of their own, so that the problem of one office does not affect the others. Until it has ended, further batches of the scope
 * wait for it: an office whose rows are locked occupies one connection.
 * @param waitMs how long a batch waits for its transaction to begin, in milliseconds. Default without limit
 */
export function createGroups(commit: CommitBatches, commitAlone: (batch: ScopedBatch) => Promise<Answers>, waitMs?: number) {
  const groupOptions = { max, waitMs }
  const commitTogether = async (batches: readonly ScopedBatch[]): Promise<Answers[] | undefined> => {
    const ordered = batches.toSorted((one, other) => compareScopes(one.scope, other.scope))
    try {
      const answers = await commit(ordered, waitShortly)
      const answersTo = new Map(ordered.map((batch, at) => [batch, answers[at]]))
      return batches.map((batch) => answersTo.get(batch) ?? [])
    } catch (error) {
      if (isUncertain(error) || (isUnavailable(error) && !isRefusal(error))) throw translate(error)
      return undefined
    }
  }

  const commitOfScope = async (batches: readonly ScopedBatch[]): Promise<readonly (Answers | Promise<Answers>)[]> => {
    try {
      return await commit(batches)
    } catch (error) {
      // Each batch alone would wait for the same lock.
      if (batches.length === 1 || isUncertain(error) || isUnavailable(error)) throw translate(error)
      return batches.map(commitAlone)
    }
  }

  const apart = new Map<string, Apart>()
  const commitApart = async (batch: ScopedBatch): Promise<Answers> => {
    const key = scopeKey(batch.scope)
    const ofScope = apart.get(key) ?? { commit: groupCommit(commitOfScope, groupOptions), waiting: 0 }
    apart.set(key, ofScope)
    ofScope.waiting++
    try {
      return await ofScope.commit(batch)
    } finally {
      ofScope.waiting--
      if (ofScope.waiting === 0) apart.delete(key)
    }
  }

  const grouped = groupCommit<ScopedBatch, Answers | Promise<Answers>>(
    async (batches) => (await commitTogether(batches)) ?? batches.map(commitApart),
    groupOptions,
  )

  return (batch: ScopedBatch): Promise<Answers> => {
    // In a trace that is recorded each statement has a span, which a group of many requests cannot have.
    if (runningSpan()) return commitAlone(batch)
    return apart.has(scopeKey(batch.scope)) ? commitApart(batch) : grouped(batch)
  }
}
