import { Type } from 'typebox'

const error = { content: { 'application/json': { schema: { $ref: 'Error#' } } } }
/** The body: its media type is that of the file. */
const bytes = { content: { '*/*': { schema: Type.String({ format: 'binary' }) } } }
const headers = { etag: Type.String({ description: 'The version of the bytes.' }) }

const text = (description: string) => Type.Optional(Type.String({ description }))

/** The request headers that `sendDownload` reads, for the schema of the route. */
export const downloadHeaders = Type.Object({
  range: text('The part that is wanted; one at most (RFC 9110 14).'),
  'if-range': text('Entity tag of the bytes of which it is a part.'),
  'if-none-match': text('Entity tags of the answers that the caller has.'),
})

/** The answers of `sendDownload`, for `answerSchemas`. */
export const downloadAnswers = {
  200: { description: 'The file.', headers, ...bytes },
  206: { description: 'The part that Range asks for.', headers, ...bytes },
  304: { description: 'The file is the one that the caller has.', type: 'null' },
  416: { description: 'The file has no such part.', ...error },
}
