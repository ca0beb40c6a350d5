import type { CaseDirectory } from './case-directory.js'
import { enqueueCheck, enqueueLinks } from './case-link.job.js'
import type { LinkedCases, SentCases } from './linked-case.js'
import type { LinkedCaseRepository } from './linked-case.repository.js'

/** Messages in these folders of the mail server are not linked. */
const excluded: readonly (string | null)[] = ['drafts', 'trash', 'junk']

export const linkedCaseService = (cases: CaseDirectory, rows: LinkedCaseRepository, sentCases: SentCases): LinkedCases => ({
  isSeen: cases.isSeen,
  check: enqueueCheck,

  async link(tx, reader, messages, issueId) {
    const begun = issueId === null ? [] : messages.map(({ mailThreadId }) => ({ mailThreadId, issueId }))
    await rows.begin(tx, reader.customerId, begun)
    await rows.link(tx, reader, messages, issueId)
    if (issueId !== null) await enqueueCheck(tx, reader.customerId, issueId)
  },

  async arrived(tx, customerId, messages) {
    const wanted = messages.filter(({ specialUse }) => !excluded.includes(specialUse))
    const known = await sentCases(
      tx,
      customerId,
      wanted.flatMap(({ named }) => named),
    )
    const begun = wanted.flatMap(({ mailThreadId, named }) => {
      const issueId = named.map((id) => known.get(id)).find((found) => found !== undefined)
      return issueId === undefined ? [] : [{ mailThreadId, issueId }]
    })
    await rows.begin(tx, customerId, begun)
    for (const issueId of new Set(begun.map(({ issueId }) => issueId))) await enqueueCheck(tx, customerId, issueId)
    const ofCases = await rows.ofCases(
      tx,
      customerId,
      wanted.map(({ mailThreadId }) => mailThreadId),
    )
    await enqueueLinks(
      tx,
      customerId,
      wanted.filter(({ mailThreadId }) => ofCases.has(mailThreadId)).map(({ id }) => id),
    )
  },
})
