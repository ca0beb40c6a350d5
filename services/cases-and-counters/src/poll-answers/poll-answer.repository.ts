import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { once } from '@caseway/kit/events'
import type { Db, Tx } from '../database.js'
import type { Contact } from '../issue-initiators/issue-initiator.js'
import type { FirstSentence } from '../issue-sentences/issue-sentence.js'
import type { OpenedByPlatform } from '../issues/issue.js'
import type { PollCase } from './poll-case.js'

/** The parts of other modules that write in the same transaction. */
interface Parts {
  readonly initiators: { keepContact(tx: Tx, customerId: Id, contact: Contact): Promise<Id> }
  readonly issues: { open(tx: Tx, customerId: Id, issue: OpenedByPlatform): Promise<Id> }
  readonly sentences: { createFirst(tx: Tx, customerId: Id, sentence: FirstSentence): Promise<void> }
}

export const pollAnswerRepository = (db: Db, { initiators, issues, sentences }: Parts) => ({
  /**
   * Opens the case of an answer, with the business card of the respondent, and the answers as its first sentence, which waits for a reply. The respondent
   * is not authenticated: an existing card with their address is used but not changed, and no client sees the case.
   * @param eventId makes it idempotent: each event opens one case
   */
  open: (eventId: string, { customerId, answerId, submitted, subject, body, contact }: PollCase): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      if (!(await once(tx, 'poll-answers', eventId))) return
      const issueInitiatorId = contact && (await initiators.keepContact(tx, customerId, contact))
      const issueId = await issues.open(tx, customerId, { subject, source: 'poll', issueInitiatorId, waitingSince: submitted })
      await sentences.createFirst(tx, customerId, { issueId, body, objectName: 'PollAnswer', objectId: answerId, created: submitted })
    }),
})
