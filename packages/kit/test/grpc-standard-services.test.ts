import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

function reflect(question: object): Promise<object> {
  const { path, requestSerialize, responseDeserialize } = methodOf(reflection, 'ServerReflectionInfo')
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  const answer = new Promise<object>((resolve, reject) => stream.once('data', resolve).once('error', reject))
  stream.end(question)
  return answer
}

describe('health', () => {
  it.each(['', 'caseway.auth.v1.PeopleService'])('of "%s" is told', async (service) => {
    expect(await check(service)).toMatchObject({ status: 'SERVING' })
  })

  it('of a service that is not there is not', async () => {
    await expect(check('caseway.auth.v1.RightsService')).rejects.toMatchObject({ code: status.NOT_FOUND })
  })
})

describe('reflection', () => {
  it('lists what is served, and only that', async () => {
    expect(await reflect({ list_services: '' })).toMatchObject({
      list_services_response: { service: [{ name: 'caseway.auth.v1.PeopleService' }] },
    })
  })

  it('describes it', async () => {
    const answer = await reflect({ file_containing_symbol: 'caseway.auth.v1.PeopleService' })
    expect(answer).toMatchObject({ file_descriptor_response: { file_descriptor_proto: expect.arrayContaining([expect.any(Buffer)]) } })
  })
})
