import type { FastifyInstance } from 'fastify'

/** Listens on a free port, and sends the URL to the parent process. */
export async function serve(app: FastifyInstance): Promise<void> {
  process.once('disconnect', () => process.exit())
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
}
