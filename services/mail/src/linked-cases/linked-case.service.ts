import type { CaseDirectory } from './case-directory.js'
import { enqueueCheck, enqueueLinks } from './case-link.job.js'
import type { LinkedCases } from './linked-case.js'
import type { LinkedCaseRepository } from './linked-case.repository.js'

/** Folders whose messages nobody has sent, or nobody wants. */
const excluded: readonly (string | null)[] = ['drafts', 'trash', 'junk']

export const linkedCaseService = (cases: CaseDirectory, rows: LinkedCaseRepository): LinkedCases => ({
  isSeen: cases.isSeen,
  check: enqueueCheck,

  async link(tx, reader, messages, issueId) {
    await rows.link(tx, reader, messages, issueId)
    if (issueId !== null) await enqueueCheck(tx, reader.customerId, issueId)
  },

  async arrived(tx, customerId, messages) {
    const wanted = messages.filter(({ specialUse }) => !excluded.includes(specialUse))
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
