import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Passes Server-Sent Events on, each chunk as it comes, for as long as both sides want. A server that closes waits for every answer;
 * these do not end by themselves, so they are ended then.
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
