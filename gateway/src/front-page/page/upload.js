import { refusalOf } from './api.js'

/**
 * Uploads a file and reports its progress, which `fetch` cannot.
 * @param {File} file
 * @param {object} options
 * @param {string} options.token
 * @param {string} options.key a repeated upload with the same key is the same file; see `Idempotency-Key` in the document of the API
 * @param {(share: number) => void} options.onProgress from 0 to 1
 * @param {AbortSignal} options.signal cancels it
 * @returns {Promise<string>} the id of the file
 * @throws {import('./api.js').ApiError} the API refused the file
 * @throws {TypeError} the API could not be reached, as with `fetch`
 */
export const upload = (file, { token, key, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const form = new FormData()
    form.set('file', file)
    const sending = new XMLHttpRequest()
    sending.open('POST', 'rest/common_file')
    sending.setRequestHeader('authorization', `Bearer ${token}`)
    sending.setRequestHeader('idempotency-key', key)
    sending.responseType = 'json'
    sending.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    sending.onload = () => {
      const { status, response } = sending
      if (status === 201) resolve(response.id)
      else reject(refusalOf(status, response, sending.getResponseHeader('retry-after')))
    }
    sending.onerror = () => reject(new TypeError('The file could not be sent.'))
    sending.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => sending.abort(), { once: true })
    sending.send(form)
  })
