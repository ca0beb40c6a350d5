import type { Client, Employee } from '@caseway/kit/caller'
import { downloadAnswers, downloadHeaders, sendDownload } from '@caseway/kit/downloads'
import { answerSchemas, idParam, idParameter, type Routes, recordAnswer, recordSchema } from '@caseway/kit/http'
import { object, type Resource, type ResourceHandlers } from '@caseway/kit/resource'
import { Type } from 'typebox'
import type { DownloadService } from './download.service.js'

const operation = {
  operationId: 'getCommonFile',
  tags: ['CommonFile'],
  summary: 'The bytes of a file, or with meta=1 its record.',
  params: idParameter,
  headers: downloadHeaders,
  querystring: Type.Object({ meta: Type.Optional(Type.Enum(['0', '1'], { description: '1: the record instead of the bytes.' })) }),
}

/** The answers of a route that sends the bytes, or the record. */
function answersOf(resource: Resource) {
  const { content, headers } = downloadAnswers[200]
  const { $id: _, ...record } = recordSchema(resource)
  const wrapped = { 'application/json': { schema: object({ [resource.name]: record }) } }
  const found = { description: 'The file; with meta=1 its record.', headers, content: { ...wrapped, ...content } }
  return answerSchemas({ ...downloadAnswers, 200: found }, 400, 404, 409)
}

/** The download of a file, with one range at most (RFC 9110 14). */
export const downloadRoutes =
  <R extends Resource>(resource: R, { get }: Required<Pick<ResourceHandlers<R>, 'get'>>, downloads: DownloadService): Routes =>
  (app) => {
    const record = recordAnswer(resource, app.space)
    const schema = { ...operation, response: answersOf(resource) }
    app.get('/common_file/:id', { schema, config: { longLived: true } }, async (request, reply) => {
      const [caller, id] = [request.caller as Employee | Client, idParam(request)]
      if (request.query.meta === '1') return record(request, reply, await get(caller as never, id))
      const file = await downloads.find(caller, id)
      return sendDownload(request, reply, file, (range) => downloads.open(file, range))
    })
  }
