import { startGrpcServer } from '@caseway/kit/grpc'
import { createMetrics } from '@caseway/kit/observability'
import { databaseUrlVariable, grpcAddressVariable, type ServiceName } from '@caseway/registry'
import { serviceVariables } from './environment.js'
import { Problem } from './problem.js'
import { log, openService, using } from './services.js'

type Work<T> = (env: NodeJS.ProcessEnv) => Promise<T>

/**
 * Runs `work` with the gRPC addresses of all `owners` in its environment. For an owner without a configured address (`AUTH_GRPC_ADDRESS`) this
 * process serves its gRPC from its database until `work` ends.
 */
export async function withOwners<T>(env: NodeJS.ProcessEnv, owners: readonly ServiceName[], work: Work<T>): Promise<T> {
  const [owner, ...others] = owners
  return owner === undefined ? work(env) : withOwner(env, owner, (env) => withOwners(env, others, work))
}

async function withOwner<T>(env: NodeJS.ProcessEnv, owner: ServiceName, work: Work<T>): Promise<T> {
  const address = grpcAddressVariable(owner)
  if (env[address]) return work(env)
  if (!serviceVariables(env)[databaseUrlVariable(owner)])
    throw new Problem(`${address} is missing: it must be the gRPC address of ${owner}.`)
  return using(openService(env, owner), ({ grpc }) =>
    using(answerAs(owner, grpc?.services ?? []), (answering) => work({ ...env, [address]: answering.address, GRPC_INSECURE: 'true' })),
  )
}

async function answerAs(owner: string, services: Parameters<typeof startGrpcServer>[0]['services']) {
  const plain = { security: 'plaintext', callers: [] } as const
  const server = await startGrpcServer({ host: '127.0.0.1', port: 0, services, ...plain, log, metrics: createMetrics(owner), drainMs: 0 })
  return { address: `127.0.0.1:${server.port}`, close: server.stop }
}
