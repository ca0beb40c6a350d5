/** How many cases are listed. */
export const maxCases = 50

/** How many sentences of a case are shown: the newest ones. */
export const maxSentences = 100

/** @typedef {keyof typeof import('./words.js').moves} Status */
/** @typedef {import('./office.js').Issue & { subject: string, status: Status, user_id: string | null }} Case */

/**
 * @typedef {object} Sentence
 * @property {string} id
 * @property {'initiator' | 'expert' | 'system'} speaker
 * @property {string | null} speaker_id
 * @property {string} body
 * @property {'draft' | 'to_review' | 'rejected' | 'sent'} status
 * @property {string} created
 * @property {import('./case-files.js').CaseFile[]} files
 */

/**
 * @typedef {object} OpenCase
 * @property {Case} issue
 * @property {Sentence[]} sentences oldest first
 * @property {import('./case-files.js').CaseFile[]} [files] newest first, once they are known
 * @property {string} draft the unsent answer, as it was when the case was opened or the answer sent
 * @property {boolean} busy
 * @property {string} [problem]
 */

/**
 * The cases that are shown, and the open one.
 * @typedef {object} Desk
 * @property {string} search the searched words; empty for all cases
 * @property {Case[]} cases
 * @property {OpenCase} [open]
 * @property {import('./case-files.js').Upload[]} [uploads] of all cases
 * @property {string} [problem] why the list could not be loaded
 */

/** @type {Desk} */
export const emptyDesk = { search: '', cases: [] }

/**
 * Applies a case from the live stream. A listed case keeps its place, so that nothing moves under a finger or a focus, and a new one comes first.
 * While a search is shown no case is added, because only the server knows whether it matches.
 * @param {Desk} desk
 * @param {import('./office.js').Issue} issue only its id when the case was removed
 * @returns {Desk}
 */
export function withChange(desk, issue) {
  const { cases, open, search } = desk
  if (issue.status === undefined) return without(desk, issue.id)
  const changed = /** @type {Case} */ (issue)
  const replaced = cases.map((known) => newer(known, changed))
  const isNew = search === '' && !cases.some(({ id }) => id === issue.id)
  return {
    ...desk,
    cases: isNew ? [changed, ...cases].slice(0, maxCases) : replaced,
    ...(open && { open: { ...open, issue: newer(open.issue, changed) } }),
  }
}

/**
 * After a reconnect the stream may repeat events, so an older version is ignored.
 * @param {Case} known
 * @param {Case} told
 */
const newer = (known, told) => (told.id === known.id && Number(told.version) >= Number(known.version) ? told : known)

/**
 * @param {Desk} desk
 * @param {string} id
 * @returns {Desk}
 */
function without({ cases, open, ...desk }, id) {
  const left = { ...desk, cases: cases.filter((known) => known.id !== id) }
  if (open?.issue.id !== id) return open ? { ...left, open } : left
  return { ...left, problem: 'The case that you had open is gone.' }
}
