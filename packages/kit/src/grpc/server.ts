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
  /** With 0 the system picks a free one. */
  port: number
  /** The definition that ts-proto generates for a service, and its implementation. Methods are made by `unary`, `serverStream` and `clientStream`. */
  services: readonly (readonly [ServiceDefinition, UntypedServiceImplementation])[]
  security: GrpcSecurity
  /** The services that may call: the certificate of a caller must have one of these names. Not checked in plain text. */
  callers: readonly string[]
  log: Logger
  metrics: Metrics
  /** How long `stop` waits for running calls before it cancels them, in milliseconds. Default 10,000. */
  drainMs?: number
}

export interface RunningGrpcServer {
  readonly port: number
  /** Sets the health status to NOT_SERVING, refuses new calls, and waits up to `drainMs` for the running ones. */
  stop(): Promise<void>
}

// grpc-js would print failures between the JSON lines of the log, although they are reported as errors.
setLogVerbosity(logVerbosity.NONE)

const channelOptions = {
  // Connections are closed after five minutes, so that clients resolve the address again and find new copies.
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': 30_000,
}

/**
 * Starts a gRPC server with `services`, the health service (grpc.health.v1) and reflection. With mutual TLS, a connection without a certificate of a known
 * authority is refused, and every call (of health and reflection, too) by a certificate that names none of `callers` ends with PERMISSION_DENIED. Probes
 * without a certificate use `/readyz` over HTTP.
 * @throws Error where the address is in use, or the files of `security` are not usable
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<RunningGrpcServer> {
  const { host, port, services, security, callers, log, metrics, drainMs = 10_000 } = options
  const names = services.map(([definition]) => serviceName(definition))
  // Imported here, because a process that is only a client does not need it.
  const [{ ReflectionService }, { HealthImplementation }] = await Promise.all([import('@grpc/reflection'), import('grpc-health-check')])
  const health = new HealthImplementation(Object.fromEntries(['', ...names].map((name) => [name, 'SERVING'])))
  const interceptors = security === 'plaintext' ? [] : [onlyFrom(callers, log)]
  const server = new Server({ ...channelOptions, interceptors })
  for (const [definition, implementation] of services) {
    server.addService(definition, mapMethods(definition, implementation, { log, metrics }))
  }
  health.addToServer(server)
  // ReflectionService reads nothing but `fileDescriptorProtos` of the proto-loader definition that its type demands.
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

/** The name of a service, from the path of any of its methods: `/caseway.auth.v1.PeopleService/GetUser`. */
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
