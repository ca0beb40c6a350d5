import { Type } from 'typebox'

const error = { content: { 'application/json': { schema: { $ref: 'Error#' } } } }
/** The body: its media type is that of the file. */
const bytes = { content: { '*/*': { schema: Type.String({ format: 'binary' }) } } }
const headers = { etag: Type.String({ description: 'The version of the bytes.' }) }

const text = (description: string) => Type.Optional(Type.String({ description }))

/** The request headers that `sendDownload` reads, for the schema of the route. */
export const downloadHeaders = Type.Object({
  range: text('At most one byte range (RFC 9110 14).'),
  'if-range': text('Entity tag of the file to which the range belongs; the whole file is sent if it has changed.'),
  'if-none-match': text('Entity tags of the versions that the caller has.'),
})

/** The answers of `sendDownload`, for `answerSchemas`. */
export const downloadAnswers = {
  200: { description: 'The file.', headers, ...bytes },
  206: { description: 'The requested range.', headers, ...bytes },
  304: { description: 'The file is unchanged.', type: 'null' },
  416: { description: 'The range is outside of the file.', ...error },
}
