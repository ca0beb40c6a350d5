import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createGrpcClient } from '@caseway/kit/grpc'
import { PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { eventually } from '@caseway/testing/eventually'
import { ChannelCredentials } from '@grpc/grpc-js'
import { afterEach, expect, it } from '@jest/globals'
import { type GetUser, startPeople, userOf } from './support/people-server.js'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** @param onCall called with each call that the copy answers */
async function startCopy(onCall = () => {}): Promise<string> {
  const getUser: GetUser = (request) => {
    onCall()
    return { user: userOf(request) }
  }
  const server = await startPeople(getUser, { drainMs: 50 })
  cleanUps.push(() => server.stop())
  return server.address
}

/** A proxy of a copy. After `hang`, its connections stay open and transmit nothing, as when a process hangs or its machine is lost. */
async function proxyOf(address: string) {
  const [host, port] = address.split(':')
  const sockets: Socket[] = []
  let hangs = false
  const proxy = createServer((down) => {
    const up = connect(Number(port), host)
    sockets.push(down, up)
    for (const socket of [down, up]) socket.on('error', () => socket.destroy())
    for (const [from, to] of [[down, up] as const, [up, down] as const]) from.on('data', (chunk) => hangs || to.write(chunk))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const hang = () => {
    hangs = true
  }
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, hang }
}

it('a copy that hangs gets no more calls after ten seconds', async () => {
  let answered = 0
  const hanging = await proxyOf(await startCopy(() => answered++))
  const address = `ipv4:${hanging.address},${await startCopy()}`
  const plain = { serverName: 'people', credentials: ChannelCredentials.createInsecure() }
  const client = createGrpcClient(PeopleServiceClient, { address, ...plain, deadlineMs: 300 })
  cleanUps.push(() => client.close())
  const calls = () => Promise.all(Array.from({ length: 4 }, (_, id) => client.getUser({ customerId: 7n, id: BigInt(id) })))
  await eventually(async () => {
    await calls()
    expect(answered).toBeGreaterThan(0)
  })
  hanging.hang()
  await expect(calls()).rejects.toMatchObject({ kind: 'unavailable' })
  await eventually(calls, { timeoutMs: 18_000, everyMs: 100 })
  await calls()
}, 40_000)
