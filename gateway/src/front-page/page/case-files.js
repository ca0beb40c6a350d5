import { read, request, send } from './api.js'
import { newKey } from './key.js'
import { upload } from './upload.js'
import { whyNot } from './words.js'

/** Polling intervals of the open case: while a file is being scanned, and otherwise, because no event tells that somebody has attached a file. */
const soonMs = 1000
const laterMs = 15_000

/** How many files of a case are shown, newest first. */
const maxFiles = 100

/**
 * @typedef {object} CaseFile
 * @property {string} id
 * @property {string} name
 * @property {string} size in bytes
 * @property {'pending' | 'ok' | 'infected' | 'failed'} virus_scan_status
 * @property {string | null} virus_scan_error
 */

/**
 * A file that is not uploaded, or not attached to its case, yet.
 * @typedef {object} Upload
 * @property {string} key
 * @property {string} issueId
 * @property {File} file
 * @property {number} sent from 0 to 1
 * @property {AbortController} canceled
 * @property {string} [problem] why it was not sent; it can be tried again
 */

/** @param {import('./cases.js').OpenCase} [open] */
const filesIn = (open) => [...(open?.files ?? []), ...(open?.sentences.flatMap(({ files }) => files) ?? [])]

/**
 * Uploads, attaches and downloads the files of cases. Nothing throws: errors are shown.
 * @param {import('./session.js').Session} session
 * @param {() => import('./cases.js').Desk} current
 * @param {(desk: import('./cases.js').Desk) => void} show
 * @param {(issueId: string) => Promise<void>} readAgain reads the case again, with its files
 * @param {AbortSignal} left aborted when the user leaves
 */
export function caseFilesOf(session, current, show, readAgain, left) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next
  left.addEventListener('abort', () => clearTimeout(next))

  /** @param {(uploads: readonly Upload[]) => Upload[]} change */
  const changeUploads = (change) => show({ ...current(), uploads: change(current().uploads ?? []) })

  /** @param {string} key */
  const forget = (key) => changeUploads((uploads) => uploads.filter((each) => each.key !== key))

  /**
   * @param {string} key
   * @param {Partial<Upload>} changes
   */
  const changeUpload = (key, changes) =>
    changeUploads((uploads) => uploads.map((each) => (each.key === key ? { ...each, ...changes } : each)))

  const isPending = () => filesIn(current().open).some(({ virus_scan_status }) => virus_scan_status === 'pending')

  /**
   * Reads the files of a case, and the whole case again later, until it is closed. The result is dropped if another case was opened meanwhile.
   * @param {string} issueId
   */
  async function refresh(issueId) {
    const asked = new URLSearchParams({ object_name: 'Issue', object_id: issueId, sort: '-id', limit: String(maxFiles) })
    const found = await session
      .token()
      .then((token) => read(`rest/common_file/common_file_object?${asked}`, token))
      .catch(() => undefined)
    const { open } = current()
    if (open?.issue.id !== issueId || left.aborted) return
    if (found) show({ ...current(), open: { ...open, files: found.map((/** @type {any} */ { CommonFile }) => CommonFile) } })
    clearTimeout(next)
    next = setTimeout(() => void readAgain(issueId), isPending() ? soonMs : laterMs)
  }

  /** @param {Upload} started */
  async function sendFile({ key, issueId, file, canceled }) {
    const signal = AbortSignal.any([canceled.signal, left])
    try {
      const onProgress = (/** @type {number} */ sent) => changeUpload(key, { sent })
      const id = await upload(file, { token: await session.token(), key, onProgress, signal })
      const link = { CommonFileObject: { common_file_id: id, object_name: 'Issue', object_id: issueId } }
      await send('rest/common_file_object', link, { token: await session.token() })
      await refresh(issueId)
      forget(key)
    } catch (error) {
      if (signal.aborted) forget(key)
      else changeUpload(key, { problem: whyNot(error) })
    }
  }

  return {
    refresh,

    /**
     * @param {string} issueId
     * @param {readonly File[]} files
     */
    attach(issueId, files) {
      const started = files.map((file) => ({ key: newKey(), issueId, file, sent: 0, canceled: new AbortController() }))
      changeUploads((uploads) => [...uploads, ...started])
      for (const each of started) void sendFile(each)
    },

    /** @param {Upload} failed */
    retry(failed) {
      changeUpload(failed.key, { sent: 0, problem: undefined })
      void sendFile(failed)
    },

    /** @param {Upload} upload */
    cancel({ key, canceled }) {
      canceled.abort()
      forget(key)
    },

    /**
     * Downloads a file; the browser saves it like any download.
     * @param {CaseFile} file
     */
    async download({ id, name }) {
      try {
        const answer = await request(`rest/common_file/${id}`, { token: await session.token() })
        const address = URL.createObjectURL(await answer.blob())
        Object.assign(document.createElement('a'), { href: address, download: name }).click()
        URL.revokeObjectURL(address)
      } catch (error) {
        const { open } = current()
        if (open) show({ ...current(), open: { ...open, problem: whyNot(error) } })
      }
    },
  }
}
