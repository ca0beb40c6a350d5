import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Forwards Server-Sent Events, each chunk as it arrives, until either side ends the stream. A closing server waits for every answer, and streams do
 * not end by themselves, so they are ended then.
 */
export function liveStreams(app: FastifyInstance) {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  return (reply: FastifyReply, answer: Readable): void => {
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream')) return void reply.send(answer)
    const { raw, request } = reply
    const end = () => {
      answer.unpipe(raw)
      raw.end(() => request.socket.end())
    }
    open.add(end)
    raw.once('close', () => {
      open.delete(end)
      answer.destroy()
    })
    answer.once('error', () => raw.destroy())
    reply.hijack()
    request.socket.setTimeout(0)
    raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
    raw.flushHeaders()
    answer.pipe(raw)
  }
}
