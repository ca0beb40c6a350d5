import { Type } from 'typebox'

const error = { content: { 'application/json': { schema: { $ref: 'Error#' } } } }
const bytes = { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } }

/** The answers of a download, for `answerSchemas`. */
export const downloadAnswers = {
  200: { description: 'The file.', ...bytes },
  206: { description: 'The part that Range asks for.', ...bytes },
  304: { description: 'The file is the one that the caller has.', type: 'null' },
  416: { description: 'The file has no such part.', ...error },
}
