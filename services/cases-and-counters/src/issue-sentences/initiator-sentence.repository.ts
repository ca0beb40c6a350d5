import type { Client, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { namedIssueErrors, ofNamedIssue } from '../issues/named-issue.js'
import { clientSentenceResource, type NewClientSentence } from './client-sentence.resource.js'
import type { FirstSentence } from './issue-sentence.js'
import type { CaseOfSentences, SentenceParts, WriteInCase } from './issue-sentence-case.js'
import { publishSent } from './sent-sentence.repository.js'
import { questionNotices } from './sentence-notices.js'
import { afterQuestion } from './waiting.js'

/** The sentences of clients, and of other people outside of the office. */
export const initiatorSentenceRepository = (db: Db, { issues, attached, notify }: Omit<SentenceParts, 'count'>) => ({
  ...resourceReads(db, clientSentenceResource, { commonFileObject: attached }),
  fieldErrors: (client: Client, sentence: Partial<NewClientSentence>) => namedIssueErrors(issues.own, client, sentence),

  /**
   * Creates a client's sentence in their case, which waits from then on.
   * @param require throws if the case does not allow it
   */
  async create(client: Client, { issueId, body }: NewClientSentence, require: (issue: CaseOfSentences) => void): Promise<Id> {
    let id = 0n
    const write: WriteInCase = async (issue, tx) => {
      require(issue)
      const { customerId, userClientId } = issue
      const at = new Date()
      const columns = { speaker: 'initiator', speakerId: client.userId, userClientId, status: 'sent', created: at }
      const sentence = await tx.issueSentence.create({ data: { customerId, issueId, body, ...columns } })
      const notices = questionNotices(issue)
      const fact = { customerId, fromUserId: null, issueId, objectId: sentence.id, version: 1, notices }
      if (notices.length > 0) await db.batch(office(customerId), notify(fact))
      await publishSent(tx, sentence)
      id = sentence.id
      return afterQuestion(issue, at)
    }
    await ofNamedIssue(issues.changeOwn(client, issueId, write))
    return id
  },

  /** Creates the first sentence of a case for a person who is not a client, in the transaction `tx` that has opened the case. */
  async createFirst(tx: Tx, customerId: Id, sentence: FirstSentence): Promise<void> {
    const columns = { ...sentence, customerId, speaker: 'initiator', status: 'sent' }
    await publishSent(tx, await tx.issueSentence.create({ data: columns }))
  },
})

export type InitiatorSentenceRepository = ReturnType<typeof initiatorSentenceRepository>
