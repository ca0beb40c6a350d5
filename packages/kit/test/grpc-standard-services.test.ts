import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Client, credentials, status } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { service as health } from 'grpc-health-check'
import { startPeople, userOf } from './support/people-server.js'

const require = createRequire(import.meta.url)
const reflectionProto = join(dirname(require.resolve('@grpc/reflection')), '../proto/grpc/reflection/v1/reflection.proto')
const reflection = loadSync(reflectionProto, { keepCase: true, oneofs: true })['grpc.reflection.v1.ServerReflection'] ?? {}

let server: Awaited<ReturnType<typeof startPeople>>
let client: Client
beforeAll(async () => {
  server = await startPeople((request) => ({ user: userOf(request) }))
  client = new Client(server.address, credentials.createInsecure())
})
afterAll(async () => {
  client.close()
  await server.stop()
})

const methodOf = (service: object, name: string) =>
  (service as Record<string, MethodDefinition<object, object>>)[name] as MethodDefinition<object, object>

function check(service: string): Promise<object | undefined> {
  const { path, requestSerialize, responseDeserialize } = methodOf(health, 'Check')
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    ),
  )
}

function reflect(question: object): Promise<Record<string, unknown>> {
  const { path, requestSerialize, responseDeserialize } = methodOf(reflection, 'ServerReflectionInfo')
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  const answer = new Promise<Record<string, unknown>>((resolve, reject) => stream.once('data', resolve).once('error', reject))
  stream.end(question)
  return answer
}

describe('health', () => {
  it.each(['', 'caseway.auth.v1.PeopleService'])('of "%s" is served', async (service) => {
    expect(await check(service)).toMatchObject({ status: 'SERVING' })
  })

  it('of an unknown service is NOT_FOUND', async () => {
    await expect(check('caseway.auth.v1.RightsService')).rejects.toMatchObject({ code: status.NOT_FOUND })
  })
})

describe('reflection', () => {
  it('lists the services of the server, and no others', async () => {
    expect(await reflect({ list_services: '' })).toMatchObject({
      list_services_response: { service: [{ name: 'caseway.auth.v1.PeopleService' }] },
    })
  })

  it('describes a service, with the files that it imports', async () => {
    const { file_descriptor_response } = await reflect({ file_containing_symbol: 'caseway.auth.v1.PeopleService' })
    const files = (file_descriptor_response as { file_descriptor_proto: Buffer[] }).file_descriptor_proto
    const described = files.map((file) => fromBinary(FileDescriptorProtoSchema, file))

    const [declaring] = described.filter(({ service }) => service.some(({ name }) => name === 'PeopleService'))
    expect(declaring?.dependency).not.toEqual([])
    expect(described.map(({ name }) => name)).toEqual(expect.arrayContaining(declaring?.dependency ?? []))
  })

  it('does not describe a service that is not served', async () => {
    expect(await reflect({ file_containing_symbol: 'caseway.auth.v1.RightsService' })).toMatchObject({
      error_response: { error_code: status.NOT_FOUND },
    })
  })
})
