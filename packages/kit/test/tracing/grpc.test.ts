import { notFound } from '@caseway/kit/errors'
import { createGrpcClient } from '@caseway/kit/grpc'
import { createLog, requestContext } from '@caseway/kit/observability'
import { tracerOf } from '@caseway/kit/tracing'
import { PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { eventually } from '@caseway/testing'
import { ChannelCredentials } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startPeople, userOf } from '../support/people-server.js'
import { type Recording, recordTraces } from './support/recording.js'

let recording: Recording
let people: Awaited<ReturnType<typeof startPeople>>
let client: ReturnType<typeof connect>
const connect = (address: string) =>
  createGrpcClient(PeopleServiceClient, { address, serverName: 'people', credentials: ChannelCredentials.createInsecure() })
beforeAll(async () => {
  recording = await recordTraces()
  people = await startPeople((request) => {
    if (request.id === 404n) throw notFound()
    if (request.id === 500n) throw new Error('canary')
    createLog({ service: 'inside', destination: { write: (line) => void people.lines.push(JSON.parse(line)) } }).info('asked')
    return { user: userOf(request) }
  })
  client = connect(people.address)
})
afterAll(async () => {
  client.close()
  await people.stop()
  await recording.stop()
})

const name = 'caseway.auth.v1.PeopleService/GetUser'

/** Calls within a new trace, and returns the spans of both sides. */
async function ask(id: bigint) {
  const begun = tracerOf('asker')?.begin('asking', 'internal', {})
  const context = { requestId: 'r', deadline: Date.now() + 2_000, ...begun }
  await requestContext.run(context, () => client.getUser({ customerId: 7n, id })).catch(() => undefined)
  begun?.span?.end()
  const own = () => recording.spans.filter(({ traceId }) => begun?.traceparent?.includes(traceId))
  await eventually(() => expect(own()).toHaveLength(3))
  const of = (kind: string) => own().find((span) => span.kind === kind)
  return { outer: of('internal'), caller: of('client'), callee: of('server') }
}

describe('a call', () => {
  it('is a span of the client, and a child span of the server', async () => {
    const { outer, caller, callee } = await ask(1n)
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': name, 'rpc.status_code': 'OK' }
    expect(caller).toMatchObject({ service: 'asker', name, parentId: outer?.spanId, attributes, failed: false })
    expect(callee).toMatchObject({ service: 'test', name, parentId: caller?.spanId, attributes, failed: false })
    expect(people.lines).toContainEqual(expect.objectContaining({ msg: 'asked', traceId: outer?.traceId }))
  })

  it('that is refused has failed for the client only', async () => {
    const { caller, callee } = await ask(404n)
    expect(caller).toMatchObject({ failed: true, attributes: { 'rpc.status_code': 'NOT_FOUND', 'error.type': 'NOT_FOUND' } })
    expect(callee).toMatchObject({ failed: false, attributes: { 'rpc.status_code': 'NOT_FOUND' } })
  })

  it('with an internal error has failed on both sides, and reveals nothing', async () => {
    const { caller, callee } = await ask(500n)
    expect(callee).toMatchObject({ failed: true, attributes: { 'rpc.status_code': 'INTERNAL', 'error.type': 'INTERNAL' } })
    expect(caller).toMatchObject({ failed: true })
    expect(`${caller?.text}${callee?.text}`).not.toContain('canary')
  })
})
