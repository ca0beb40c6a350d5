import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { type Logger, requestContext } from '../observability/index.js'
import { endWith } from '../tracing/index.js'
import { metadataOf } from './call-context.js'
import { repeatableMethods } from './descriptors.js'
import type { GrpcSecurity } from './security.js'
import { clientSpan } from './spans.js'
import { errorOf } from './status.js'

/** The address of a service, and the credentials with which it is called. */
export interface GrpcEndpoint {
  /** A gRPC target, such as `dns:///auth:50051`. */
  address: string
  security: GrpcSecurity
  log: Logger
}

export interface GrpcClientOptions {
  /** A gRPC target, such as `dns:///auth:50051`. */
  address: string
  /** The DNS name that the certificate of the server must have: the name of the service, whatever the address is. */
  serverName: string
  /** The result of `channelCredentials`. Clients with the same credentials object share their connections. */
  credentials: ChannelCredentials
  /** The deadline of a call, in milliseconds; earlier where the running request has less time left. Default 2,000. */
  deadlineMs?: number
}

type Method = { requestSerialize(value: never): Buffer; responseDeserialize(bytes: Buffer): unknown }

type RequestOf<M extends Method> = M extends { readonly requestStream: true }
  ? AsyncIterable<Parameters<M['requestSerialize']>[0]>
  : Parameters<M['requestSerialize']>[0]

type ResponseOf<M extends Method> = M extends { readonly responseStream: true }
  ? AsyncIterable<ReturnType<M['responseDeserialize']>>
  : Promise<ReturnType<M['responseDeserialize']>>

type Calls<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends Method ? (request: RequestOf<Service[Name]>) => ResponseOf<Service[Name]> : never
}

/** The methods of a service as async functions; a request stream is an async iterable, and a method that streams its response is an async generator. */
export type GrpcClient<Service> = Calls<Service> & { close(): void }

/**
 * Creates a client of a service. Its calls
 * - send the id and the remaining time of the running request, and end at the deadline;
 * - reject with the AppError that the server threw, and with `unavailable` where it cannot be reached or is too slow;
 * - are retried once on UNAVAILABLE where the contract declares an `idempotency_level`;
 * - reach only a server whose certificate is signed by a known authority and names the service;
 * - are distributed over all copies to which the address resolves (round robin); after an outage the channel reconnects within two seconds.
 * @param Generated the client class of ts-proto
 */
export function createGrpcClient<const Service extends ServiceDefinition>(
  Generated: { readonly service: Service; readonly serviceName: string },
  { address, serverName, credentials, deadlineMs = 2_000 }: GrpcClientOptions,
): GrpcClient<Service> {
  const client = new Client(address, credentials, channelOptions(Generated.serviceName, serverName))
  const calls = Object.entries(Generated.service).map(([name, method]) => [
    name,
    (request: never) => callOf(method)(client, method, request, deadlineMs),
  ])
  return { ...Object.fromEntries(calls), close: () => client.close() } as GrpcClient<Service>
}

const callOf = ({ requestStream, responseStream }: MethodDefinition<unknown, unknown>) => {
  if (requestStream) return upload
  return responseStream ? stream : call
}

function call<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  request: Request,
  deadlineMs: number,
): Promise<Response> {
  const { path, requestSerialize, responseDeserialize } = method
  const { span, metadata, deadline } = beginCall(path, deadlineMs)
  const answer = new Promise<Response>((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline }, (error, response) => {
      span?.describe({ 'rpc.status_code': status[error ? error.code : status.OK] })
      if (error) reject(errorOf(error))
      else resolve(response as Response)
    })
  })
  return span ? endWith(span, answer) : answer
}

/** Sends only as fast as the server reads. Where the server answers early, the rest of `requests` is not read. */
function upload<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  requests: AsyncIterable<Request>,
  deadlineMs: number,
): Promise<Response> {
  const { path, requestSerialize, responseDeserialize } = method
  const { span, metadata, deadline } = beginCall(path, deadlineMs)
  const answered = new AbortController()
  let broken: unknown
  async function* messages() {
    try {
      yield* requests
    } catch (error) {
      broken = error
      throw error
    }
  }
  const answer = new Promise<Response>((resolve, reject) => {
    const sent = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, metadata, { deadline }, (error, response) => {
      span?.describe({ 'rpc.status_code': status[error ? error.code : status.OK] })
      if (error) reject(broken ?? errorOf(error))
      else resolve(response as Response)
      answered.abort()
    })
    // Cancelling calls the callback above, too.
    pipeline(Readable.from(messages()), sent as unknown as Writable, { signal: answered.signal }).catch(() => sent.cancel())
  })
  return span ? endWith(span, answer) : answer
}

/** The call begins when the first message is read, and is cancelled when the reader stops. */
async function* stream<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  request: Request,
  deadlineMs: number,
): AsyncGenerator<Response> {
  const { path, requestSerialize, responseDeserialize } = method
  const { span, metadata, deadline } = beginCall(path, deadlineMs)
  const messages = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline })
  // Cancelling emits an error, which would crash the process where nobody iterates any more.
  messages.on('error', () => undefined)
  let failure: Error | undefined
  try {
    for await (const message of messages) yield message
  } catch (error) {
    failure = errorOf(error as ServiceError)
    throw failure
  } finally {
    messages.cancel()
    span?.end(failure?.name)
  }
}

/** The metadata, the deadline and the span of a call, from the context of the running request. */
function beginCall(path: string, deadlineMs: number) {
  const context = requestContext.get()
  const deadline = Math.min(Date.now() + deadlineMs, context?.deadline ?? Number.POSITIVE_INFINITY)
  const span = context?.span && clientSpan(context.span, path)
  return { span, metadata: metadataOf(context, span?.traceparent), deadline }
}

function channelOptions(service: string, serverName: string): ChannelOptions {
  const repeated = repeatableMethods(service).map((method) => ({ service, method }))
  const retryPolicy = {
    maxAttempts: 2,
    initialBackoff: '0.1s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  }
  return {
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: repeated.length > 0 ? [{ name: repeated, retryPolicy }] : [],
    }),
    'grpc.service_config_disable_resolution': 1,
    'grpc.initial_reconnect_backoff_ms': 200,
    // grpc-js adds up to a fifth of jitter: 1.9 s at most.
    'grpc.max_reconnect_backoff_ms': 1_600,
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    // A copy that hangs gets no more calls after ten seconds.
    'grpc.keepalive_time_ms': 5_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.enable_http_proxy': 0,
    'grpc.ssl_target_name_override': serverName,
  }
}
