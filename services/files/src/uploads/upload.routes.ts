import type { Client, Employee } from '@caseway/kit/caller'
import { answerCreated, answerSchemas, created, idempotencyKey, type Routes } from '@caseway/kit/http'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { etagOf } from '../common-files/common-file.js'
import type { UploadService } from './upload.service.js'
import { readUpload, readUploads } from './upload-body.client.js'

const office = Type.Optional(Type.String({ description: 'The office, required from a client of several offices.' }))

const schema = {
  operationId: 'createCommonFile',
  tags: ['CommonFile'],
  summary: 'Uploads one file, in the part `file`.',
  consumes: ['multipart/form-data'],
  headers: idempotencyKey,
  querystring: Type.Object({ customer_id: office }),
  body: Type.Object({ file: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }), customer_id: office }),
  response: answerSchemas({ 201: created }, 400, 409, 413, 415),
}

/**
 * The upload of a file, which is streamed to the storage.
 * @param description further sentences for the documentation
 */
export const uploadRoutes =
  (uploads: UploadService, description: string): Routes =>
  (app) => {
    readUploads(app)
    const endings = new WeakMap<object, () => Promise<void>>()
    const options = {
      schema: { ...schema, description },
      validatorCompiler: () => () => true,
      config: { idempotency: 'streamed', longLived: true },
      // Runs before every answer, also that of an error.
      onSend: async (request: FastifyRequest) => endings.get(request)?.(),
    } as const
    app.post('/common_file', options, async (request, reply) => {
      const caller = request.caller as Employee | Client
      const { stored: file, fields } = await readUpload(request, uploads.maxBytes, uploads.receive, uploads.discard)
      const office = fields.customer_id ?? request.query.customer_id
      const content = `${office ?? ''}\n${file.name}\n${etagOf(file.sha256)}`
      const { keep, end } = uploads.recording(caller, file, office)
      endings.set(request, end)
      return app.space.answerOnce(request, reply, content, async () => answerCreated(reply, app.space, 'common_file', await keep()))
    })
  }
