import { peerClients } from '@caseway/kit/grpc'
import { createLog } from '@caseway/kit/observability'
import { PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { RightsServiceClient } from '@caseway/protos/auth/v1/rights'
import { expect, it } from '@jest/globals'
import { startPeople, userOf } from './support/people-server.js'

const log = createLog({ service: 'test', level: 'silent' })
const query = { customerId: 7n, id: 8n }

it('clients of a peer call it at its address, until the calling service is closed', async () => {
  const people = await startPeople((request) => ({ user: userOf(request) }))
  const opened = new Map<string, () => unknown>()
  const peer = (service: string) => ({ address: service === 'auth' ? people.address : '', security: 'plaintext' as const, log })
  const clientOf = peerClients({ peer, onClose: (name, close) => void opened.set(name, close) }, 'auth')
  const client = clientOf(PeopleServiceClient)
  clientOf(RightsServiceClient)
  expect(await client.getUser(query)).toEqual({ user: userOf(query) })
  expect([...opened.keys()]).toEqual(['caseway.auth.v1.PeopleService of auth', 'caseway.auth.v1.RightsService of auth'])
  for (const close of opened.values()) close()
  await expect(client.getUser(query)).rejects.toThrow('shut down')
  await people.stop()
})
