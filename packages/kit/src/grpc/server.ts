import {
  logVerbosity,
  Server,
  type ServerWritableStream,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { AnyDefinition } from '@grpc/proto-loader'
import type { Logger, Metrics } from '../observability/index.js'
import { fileDescriptors } from './descriptors.js'
import { observed } from './observed.js'
import { type GrpcSecurity, onlyFrom, serverCredentials } from './security.js'
import { endStream } from './server-stream.js'

export interface GrpcServerOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** What ts-proto generates for a service, with what answers it. Each method is made by `unary`, `serverStream` or `clientStream`. */
  services: readonly (readonly [ServiceDefinition, UntypedServiceImplementation])[]
  security: GrpcSecurity
  /** The services that may call: one of these names is in the certificate of a caller. In plain text the caller is unknown. */
  callers: readonly string[]
  log: Logger
  metrics: Metrics
  /** How long `stop` waits for calls that are under way, in milliseconds. Default 10,000. */
  drainMs?: number
}

export interface RunningGrpcServer {
  readonly port: number
  /** Says NOT_SERVING, takes no new call, and lets the running ones end. */
  stop(): Promise<void>
}

// Failures reach us as errors; grpc-js would print them as well, between the JSON lines of the log.
setLogVerbosity(logVerbosity.NONE)

const channelOptions = {
  // Connections end after five minutes, so that clients resolve the address again and find new copies.
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': 30_000,
}

/**
 * A gRPC server with the health service (grpc.health.v1) and reflection beside `services`. It speaks mutual TLS: a connection without a
 * certificate of a known authority is refused, and a call, also of health and reflection, whose certificate names none of `callers` ends
 * with PERMISSION_DENIED. A probe that has no certificate asks `/readyz` over HTTP.
 * @throws when the address is taken, or the files of `security` are not usable
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<RunningGrpcServer> {
  const { host, port, services, security, callers, log, metrics, drainMs = 10_000 } = options
  const names = services.map(([definition]) => serviceName(definition))
  // Loaded here, because a process that only calls others needs none of it.
  const [{ ReflectionService }, { HealthImplementation }] = await Promise.all([import('@grpc/reflection'), import('grpc-health-check')])
  const health = new HealthImplementation(Object.fromEntries(['', ...names].map((name) => [name, 'SERVING'])))
  const interceptors = security === 'plaintext' ? [] : [onlyFrom(callers, log)]
  const server = new Server({ ...channelOptions, interceptors })
  for (const [definition, implementation] of services) {
    server.addService(definition, mapMethods(definition, implementation, { log, metrics }))
  }
  health.addToServer(server)
  // The type asks for a definition of proto-loader, of which ReflectionService reads only the files.
  const contracts = { fileDescriptorProtos: fileDescriptors(names) } as unknown as AnyDefinition
  new ReflectionService({ contracts }, { services: names }).addToServer(server)

  const boundPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${host}:${port}`, serverCredentials(security, log), (error, bound) => (error ? reject(error) : resolve(bound))),
  )
  return {
    port: boundPort,
    async stop() {
      for (const name of ['', ...names]) health.setStatus(name, 'NOT_SERVING')
      const forced = setTimeout(() => server.forceShutdown(), drainMs)
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
      clearTimeout(forced)
    },
  }
}

/** All methods of a service carry its name: `/caseway.auth.v1.PeopleService/GetUser`. */
const serviceName = (definition: ServiceDefinition) => Object.values(definition)[0]?.path.split('/')[1] ?? ''

type Stream = ServerWritableStream<unknown, unknown>

function mapMethods(
  definition: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  observers: { log: Logger; metrics: Metrics },
): UntypedServiceImplementation {
  const methods = Object.entries(definition).map(([name, method]) => {
    const handler = implementation[name]
    if (!handler) throw new Error(`${method.path} is not implemented.`)
    const answer = observed(method, handler as Parameters<typeof observed>[1], observers)
    return [name, method.responseStream ? (call: Stream) => answer(call as never, endStream(call)) : answer]
  })
  return Object.fromEntries(methods)
}
