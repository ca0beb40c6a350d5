import { startGrpcServer } from '@caseway/kit/grpc'
import { createMetrics } from '@caseway/kit/observability'
import { serviceVariables } from './environment.js'
import { Problem } from './problem.js'
import { log, openAuth, using } from './services.js'

/**
 * Runs `work` where auth answers. Without an AUTH_GRPC_ADDRESS that is this process, for as long as the work takes: what auth would
 * answer is in its database.
 */
export async function withAuthAddress<T>(env: NodeJS.ProcessEnv, work: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  if (env.AUTH_GRPC_ADDRESS) return work(env)
  if (!serviceVariables(env).AUTH_DATABASE_URL) throw new Problem('AUTH_GRPC_ADDRESS is missing: it says where auth answers.')
  return using(openAuth(env), ({ grpc }) =>
    using(answerAsAuth(grpc?.services ?? []), ({ address }) => work({ ...env, AUTH_GRPC_ADDRESS: address, GRPC_INSECURE: 'true' })),
  )
}

async function answerAsAuth(services: Parameters<typeof startGrpcServer>[0]['services']) {
  const plain = { security: 'plaintext', callers: [] } as const
  const server = await startGrpcServer({ host: '127.0.0.1', port: 0, services, ...plain, log, metrics: createMetrics('auth'), drainMs: 0 })
  return { address: `127.0.0.1:${server.port}`, close: server.stop }
}
