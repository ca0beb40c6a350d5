import { ApiError, read, send } from './api.js'
import { caseFilesOf } from './case-files.js'
import { maxCases, maxSentences, withChange } from './cases.js'
import { newKey } from './key.js'
import { whyNot } from './words.js'

/** @typedef {import('./cases.js').Desk} Desk */
/** @typedef {import('./cases.js').OpenCase} OpenCase */

/** @param {{ IssueSentence: object, CommonFileObject: { CommonFile: object }[] }} answered */
const sentenceOf = ({ IssueSentence, CommonFileObject }) => ({
  ...IssueSentence,
  files: CommonFileObject.map(({ CommonFile }) => CommonFile),
})

/**
 * What a user does with the cases of their office. Nothing throws: errors are shown.
 * @param {import('./session.js').Session} session
 * @param {() => Desk} current
 * @param {(desk: Desk) => void} show
 * @param {AbortSignal} left aborted when the user leaves
 */
export function deskOf(session, current, show, left) {
  const files = caseFilesOf(session, current, show, refresh, left)
  /** The last answer that was sent, so that it can be repeated with the same key when its response was lost. */
  let attempt = { issueId: '', body: '', key: '' }
  /**
   * The answers that were written and not sent, by the id of the case.
   * @type {Map<string, string>}
   */
  const drafts = new Map()
  /** The id of the case that was selected last, until it is open. */
  let chosen = ''
  /**
   * The cases that the stream has sent since the list was requested: the response may be older. Undefined while no response is awaited.
   * @type {import('./office.js').Issue[] | undefined}
   */
  let streamed

  /** @param {Partial<Desk>} changes */
  const change = (changes) => show({ ...current(), ...changes })

  /**
   * Changes the open case, unless another one was opened meanwhile.
   * @param {string} id
   * @param {Partial<OpenCase>} changes
   */
  const changeOpen = (id, changes) => {
    const { open } = current()
    if (open?.issue.id === id) change({ open: { ...open, ...changes } })
  }

  /**
   * Shows a case that was read, unless a newer version is shown already: responses may arrive out of order.
   * @param {Pick<OpenCase, 'issue' | 'sentences'>} fresh
   */
  const showCase = (fresh) => {
    const { open } = current()
    if (open && Number(fresh.issue.version) >= Number(open.issue.version)) changeOpen(fresh.issue.id, fresh)
  }

  /** @param {string} path */
  const get = async (path) => read(path, await session.token())

  /** @param {string} id */
  async function readCase(id) {
    const newest = new URLSearchParams({ issue_id: id, sort: '-id', limit: String(maxSentences) })
    const [{ Issue: issue }, sentences] = await Promise.all([get(`rest/issue/${id}`), get(`rest/issue_sentence?${newest}`)])
    return { issue, sentences: sentences.map(sentenceOf).reverse() }
  }

  /**
   * Runs `work` on the open case, unless it is busy, and then shows its new state.
   * @param {string} id
   * @param {(token: string) => Promise<unknown>} work
   */
  async function workAt(id, work) {
    const { open } = current()
    if (open?.issue.id !== id || open.busy) return
    changeOpen(id, { busy: true, problem: undefined })
    try {
      await work(await session.token())
      showCase(await readCase(id))
      changeOpen(id, { busy: false })
    } catch (error) {
      const problem = whyNot(error)
      if (current().open?.issue.id === id) changeOpen(id, { busy: false, problem })
      else change({ problem: `#${open.issue.number}: ${problem}` })
    }
  }

  /**
   * Reads the open case again after somebody has changed it.
   * @param {string} id
   */
  async function refresh(id) {
    if (current().open?.issue.id !== id) return
    try {
      showCase(await readCase(id))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return show(withChange(current(), { id }))
    }
    await files.refresh(id)
  }

  async function list() {
    const { search } = current()
    /** @type {import('./office.js').Issue[]} */
    const meanwhile = []
    streamed = meanwhile
    const asked = new URLSearchParams({ sort: '-modified', limit: String(maxCases), ...(search && { q: search }) })
    try {
      const answer = await get(`rest/issue?${asked}`)
      const cases = answer.map((/** @type {any} */ { Issue }) => Issue)
      // A later request for the list makes this one obsolete.
      if (streamed === meanwhile) show(meanwhile.reduce(withChange, { ...current(), cases, problem: undefined }))
    } catch (error) {
      if (streamed === meanwhile) change({ problem: whyNot(error) })
    }
    if (streamed === meanwhile) streamed = undefined
  }

  return {
    list,
    files,

    /** @param {string} words */
    search(words) {
      change({ search: words.trim() })
      return list()
    },

    /**
     * Opens a case, unless another one is selected before its response arrives.
     * @param {string} id
     * @returns {Promise<boolean>} whether it is open
     */
    async open(id) {
      chosen = id
      try {
        const read = await readCase(id)
        if (chosen !== id) return false
        chosen = ''
        change({ open: { ...read, draft: drafts.get(id) ?? '', busy: false }, problem: undefined })
        void files.refresh(id)
        return true
      } catch (error) {
        if (chosen === id) change({ problem: whyNot(error) })
        return false
      }
    },

    close: () => change({ open: undefined }),

    refresh,

    /** @param {import('./office.js').Issue} issue sent by the stream */
    receive(issue) {
      streamed?.push(issue)
      show(withChange(current(), issue))
      void refresh(issue.id)
    },

    /**
     * Keeps an answer that is being written.
     * @param {string} id
     * @param {string} body
     */
    draft: (id, body) => void drafts.set(id, body),

    /**
     * @param {string} issueId
     * @param {string} body
     */
    answer(issueId, body) {
      if (attempt.issueId !== issueId || attempt.body !== body) attempt = { issueId, body, key: newKey() }
      const { key } = attempt
      changeOpen(issueId, { draft: body })
      const sentence = { IssueSentence: { issue_id: issueId, body } }
      return workAt(issueId, async (token) => {
        await send('rest/issue_sentence', sentence, { token, headers: { 'idempotency-key': key } })
        attempt = { issueId: '', body: '', key: '' }
        drafts.delete(issueId)
        changeOpen(issueId, { draft: '' })
      })
    },

    /**
     * @param {string} id
     * @param {string} status
     */
    move: (id, status) => workAt(id, (token) => send(`rest/issue/${id}`, { Issue: { status } }, { method: 'PUT', token })),
  }
}
