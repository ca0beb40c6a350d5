export { downloadAnswers, downloadHeaders } from './download-schema.js'
export { fileName } from './file-name.js'
export { type Download, sendDownload } from './send-download.js'
