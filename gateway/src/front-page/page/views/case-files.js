import { repeat } from '../modules/lit-html/directives/repeat.js'
import { html, nothing } from '../modules/lit-html/lit-html.js'
import { scanStates, sizeText } from '../words.js'
import { once } from './once.js'

/** @typedef {import('../case-files.js').Upload} Upload */
/** @typedef {import('../case-files.js').CaseFile} CaseFile */
/** @typedef {import('../main.js').Actions['files']} Actions */

/**
 * @param {import('../cases.js').OpenCase} open
 * @param {readonly Upload[]} uploads
 * @param {Actions} actions
 */
export const caseFilesView = ({ issue, files = [] }, uploads, actions) => html`
  <section class="attachments" aria-labelledby="title-files">
    <h3 id="title-files" tabindex="-1">Files</h3>
    <ul class="files">
      ${repeat(
        uploads.filter(({ issueId }) => issueId === issue.id),
        ({ key }) => key,
        (upload) => uploadView(upload, actions),
      )}
      ${fileViews(files, actions)}
    </ul>
    <label for="files">Attach files</label>
    <input id="files" type="file" multiple @change=${chosen(issue.id, actions)}>
  </section>
`

/**
 * The files of a sentence.
 * @param {readonly CaseFile[]} files
 * @param {Actions} actions
 */
export const sentenceFilesView = (files, actions) =>
  files.length === 0 ? nothing : html`<ul class="files" aria-label="Files">${fileViews(files, actions)}</ul>`

/**
 * @param {readonly CaseFile[]} files
 * @param {Actions} actions
 */
const fileViews = (files, actions) =>
  repeat(
    files,
    ({ id }) => id,
    (file) => fileView(file, actions),
  )

/**
 * @param {Upload} upload
 * @param {Actions} actions
 */
const uploadView = (upload, { retry, cancel }) => html`
  <li data-upload>
    <span class="name" dir="auto">${upload.file.name}</span>
    ${
      upload.problem === undefined
        ? html`<progress max="1" .value=${upload.sent} aria-label=${`Upload of ${upload.file.name}`}></progress>`
        : html`<button class="quiet" type="button" @click=${once(() => retry(upload))}>Try again</button>`
    }
    <button class="quiet" type="button" @click=${once(() => cancel(upload))}>Cancel<span class="unseen"> ${upload.file.name}</span></button>
    <p class="problem" role="alert">${upload.problem ?? nothing}</p>
  </li>
`

/**
 * @param {CaseFile} file
 * @param {Actions} actions
 */
const fileView = (file, { download }) => html`
  <li data-scan=${file.virus_scan_status}>
    <span class="name" dir="auto">${file.name}</span>
    <small>${sizeText(Number(file.size))}</small>
    <p class="scan" role="status">${scanStates[file.virus_scan_status]}${file.virus_scan_error && `: ${file.virus_scan_error}`}</p>
    ${
      file.virus_scan_status === 'ok'
        ? html`<button class="quiet" type="button" @click=${once(() => download(file))}>Download<span class="unseen"> ${file.name}</span></button>`
        : nothing
    }
  </li>
`

/**
 * @param {string} issueId
 * @param {Actions} actions
 */
const chosen =
  (issueId, { attach }) =>
  (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target)
    attach(issueId, [...(input.files ?? [])])
    input.value = ''
  }
