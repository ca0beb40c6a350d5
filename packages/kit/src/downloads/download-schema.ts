import { Type } from 'typebox'

const error = { content: { 'application/json': { schema: { $ref: 'Error#' } } } }
/** Of the media type of the file. */
const bytes = { content: { '*/*': { schema: Type.String({ format: 'binary' }) } } }
const headers = { etag: Type.String({ description: 'The version of the bytes.' }) }

/** The answers of a download, for `answerSchemas`. */
export const downloadAnswers = {
  200: { description: 'The file.', headers, ...bytes },
  206: { description: 'The part that Range asks for.', headers, ...bytes },
  304: { description: 'The file is the one that the caller has.', type: 'null' },
  416: { description: 'The file has no such part.', ...error },
}
