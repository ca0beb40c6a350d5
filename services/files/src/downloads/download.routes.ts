import { Readable } from 'node:stream'
import type { Client, Employee } from '@caseway/kit/caller'
import { answerSchemas, idParam, idParameter, isUnchanged, type Routes, recordAnswer } from '@caseway/kit/http'
import type { Resource, ResourceHandlers } from '@caseway/kit/resource'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { FileBytes } from '../common-files/common-file.js'
import type { DownloadService } from './download.service.js'
import { requestedRange } from './requested-range.js'

const bytes = { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } }

const schema = {
  operationId: 'getCommonFile',
  tags: ['CommonFile'],
  summary: 'The bytes of a file, or with meta=1 its record.',
  params: idParameter,
  querystring: Type.Object({ meta: Type.Optional(Type.Enum(['0', '1'], { description: '1: the record.' })) }),
  response: answerSchemas(
    {
      200: { description: 'The file.', ...bytes },
      206: { description: 'The part that Range asks for.', ...bytes },
      304: { description: 'The file is the one that the caller has.', type: 'null' },
      416: { description: 'The file has no such part.', type: 'null' },
    },
    400,
    404,
    409,
  ),
}

/** How bytes from outside leave: nothing of them is shown in a page of ours, and no browser guesses what they are. */
const headersOf = ({ name, mime }: FileBytes) => ({
  'content-type': mime,
  'content-disposition': contentDisposition(name),
  'content-security-policy': 'sandbox',
  'accept-ranges': 'bytes',
})

/** A download with one range at most (RFC 9110 14). */
export const downloadRoutes =
  <R extends Resource>(resource: R, { get }: Required<Pick<ResourceHandlers<R>, 'get'>>, downloads: DownloadService): Routes =>
  (app) => {
    const record = recordAnswer(resource, app.space)
    app.get('/common_file/:id', { schema, config: { longLived: true } }, async (request, reply) => {
      const [caller, id] = [request.caller as Employee | Client, idParam(request)]
      if (request.query.meta === '1') return record(request, reply, await get(caller as never, id))
      return download(request, reply, await downloads.find(caller, id), downloads)
    })
  }

async function download(request: FastifyRequest, reply: FastifyReply, file: FileBytes, { open }: DownloadService) {
  const { etag, sizeBytes } = file
  const { range, 'if-range': ifRange } = request.headers
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  const part = requestedRange({ range, ifRange: ifRange as string | undefined }, sizeBytes, etag)
  if (part === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  // Where only the head is asked for, nothing is read. Before there are bytes nothing is said of them: an error has a length of its own.
  const content = request.method === 'HEAD' ? Readable.from([]) : await open(file, part)
  reply.headers(headersOf(file)).header('content-length', part ? part.end - part.start + 1 : sizeBytes)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  return reply.send(content)
}
