import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceClientConstructor, type ServiceError } from '@grpc/grpc-js'
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader'

export interface GrpcCall {
  metadata?: Record<string, string>
  deadlineMs?: number
}

export interface GrpcClient {
  /**
   * Calls a method. Field names are those of the .proto file; 64-bit integers and enums are strings.
   * @throws ServiceError of grpc-js, with `code` and `metadata`
   */
  call<Answer = unknown>(method: string, request?: object, call?: GrpcCall): Promise<Answer>
  close(): void
}

type UnaryMethod = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  done: (error: ServiceError | null, answer: unknown) => void,
) => void

/**
 * A client that shares no code with the code under test: it uses only the descriptors of `buf build`.
 * @param service full name, such as `caseway.auth.v1.PeopleService`
 */
export function grpcClient(address: string, service: string): GrpcClient {
  const descriptors = createRequire(import.meta.url).resolve('@caseway/protos/descriptors.binpb')
  const definition = loadFileDescriptorSetFromBuffer(readFileSync(descriptors), {
    ...{ keepCase: true, longs: String, enums: String, defaults: true, oneofs: true },
  })
  const Service = service
    .split('.')
    .reduce<unknown>((scope, name) => (scope as Record<string, unknown>)?.[name], loadPackageDefinition(definition))
  if (!Service) throw new Error(`The descriptors have no service ${service}.`)
  const client: Client = new (Service as ServiceClientConstructor)(address, credentials.createInsecure())

  return {
    call: <Answer>(method: string, request: object = {}, { metadata = {}, deadlineMs = 5000 }: GrpcCall = {}) =>
      new Promise<Answer>((resolve, reject) => {
        const sent = new Metadata()
        for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
        const unary = (client as unknown as Record<string, UnaryMethod | undefined>)[method]
        if (!unary) throw new Error(`${service} has no method ${method}.`)
        unary.call(client, request, sent, { deadline: Date.now() + deadlineMs }, (error, answer) =>
          error ? reject(error) : resolve(answer as Answer),
        )
      }),
    close: () => client.close(),
  }
}
