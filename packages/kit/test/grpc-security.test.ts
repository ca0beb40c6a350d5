import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Authority, createAuthority } from '@caseway/install/certificates/authority.mjs'
import { channelCredentials, createGrpcClient, type GrpcSecurity } from '@caseway/kit/grpc'
import { createLog } from '@caseway/kit/observability'
import { PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { eventually } from '@caseway/testing/eventually'
import { ChannelCredentials, Client, status } from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { service as healthService } from 'grpc-health-check'
import { type GetUser, startPeople, userOf } from './support/people-server.js'

const folder = mkdtempSync(join(tmpdir(), 'caseway-grpc-'))
const log = createLog({ service: 'test', level: 'silent' })
const reloadMs = 20
const query = { customerId: 7n, id: 8n }
const hourMs = 3_600_000

let authority: Authority
let stranger: Authority
beforeAll(async () => {
  ;[authority, stranger] = await Promise.all([createAuthority(), createAuthority()])
})
afterAll(() => rmSync(folder, { recursive: true }))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

interface Holder {
  signedBy?: Authority
  trusts?: string
  notAfter?: Date
}

let written = 0
/** Writes a certificate for these names, its key and the trusted authorities into `to`, by default into new files. */
async function certificateOf(
  names: string[],
  { signedBy = authority, trusts = authority.certificate, notAfter }: Holder = {},
  to?: string,
) {
  const { certificate, key } = await signedBy.issue(names, { notBefore: new Date(Date.now() - 2 * hourMs), notAfter })
  const path = to ?? join(folder, String(written++))
  const files = { certFile: `${path}.pem`, keyFile: `${path}.key`, caFile: `${path}.ca` }
  writeFileSync(files.certFile, certificate)
  writeFileSync(files.keyFile, key)
  writeFileSync(files.caFile, trusts)
  return { ...files, reloadMs, path }
}

async function serve(security: GrpcSecurity, getUser: GetUser = (request) => ({ user: userOf(request) })) {
  const server = await startPeople(getUser, { security, callers: ['gateway', 'caseway'], drainMs: 50 })
  cleanUps.push(() => server.stop())
  return server
}

function connect(address: string, security: GrpcSecurity, serverName = 'auth') {
  const credentials = channelCredentials(security, log)
  const client = createGrpcClient(PeopleServiceClient, { address, serverName, credentials, deadlineMs: 5_000 })
  cleanUps.unshift(() => client.close())
  return client
}

const served = { user: userOf(query) }

describe('a server with certificates', () => {
  it('serves the services that it allows as callers', async () => {
    const { address } = await serve(await certificateOf(['auth']))
    for (const name of ['gateway', 'caseway']) {
      expect(await connect(address, await certificateOf([name, 'other.example'])).getUser(query)).toEqual(served)
    }
  })

  it.each<[string, () => Promise<GrpcSecurity>]>([
    ['plain text', async () => 'plaintext'],
    ['a certificate of another authority', () => certificateOf(['gateway'], { signedBy: stranger })],
    ['a certificate that has expired', () => certificateOf(['gateway'], { notAfter: new Date(Date.now() - hourMs) })],
  ])('refuses connections with %s', async (_, securityOf) => {
    let calls = 0
    const { address } = await serve(await certificateOf(['auth']), (request) => {
      calls += 1
      return { user: userOf(request) }
    })
    await expect(connect(address, await securityOf()).getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(calls).toBe(0)
  })

  it('refuses connections without a certificate', async () => {
    const { address } = await serve(await certificateOf(['auth']))
    const credentials = ChannelCredentials.createSsl(Buffer.from(authority.certificate))
    const client = createGrpcClient(PeopleServiceClient, { address, serverName: 'auth', credentials })
    cleanUps.unshift(() => client.close())
    await expect(client.getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each([[['mail']], [['*']], [['gateway.example']], [['127.0.0.1']]])('refuses the calls of %s, also of health', async (names) => {
    const server = await serve(await certificateOf(['auth']))
    const security = await certificateOf(names)
    await expect(connect(server.address, security).getUser(query)).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
    await expect(check(server.address, security)).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
    expect(server.lines).toMatchObject(Array(2).fill({ level: 'warn', names: expect.stringContaining(names[0] as string) }))
  })

  it('answers a health check of an allowed caller', async () => {
    const { address } = await serve(await certificateOf(['auth']))
    expect(await check(address, await certificateOf(['gateway']))).toMatchObject({ status: 'SERVING' })
  })

  it('does not start with a key that does not match the certificate', async () => {
    const [one, other] = [await certificateOf(['auth']), await certificateOf(['auth'])]
    await expect(startPeople(() => ({}) as never, { security: { ...one, keyFile: other.keyFile } })).rejects.toThrow()
  })
})

describe('a client with certificates', () => {
  it.each<[string, () => Promise<GrpcSecurity>]>([
    ['of another authority', () => certificateOf(['auth'], { signedBy: stranger })],
    ['of another service', () => certificateOf(['mail', '127.0.0.1', 'localhost'])],
    ['that speaks plain text', async () => 'plaintext'],
  ])('does not call a server %s', async (_, securityOf) => {
    const { address } = await serve(await securityOf())
    await expect(connect(address, await certificateOf(['gateway'])).getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('certificates that are replaced', () => {
  it('are used for new connections, and no call fails', async () => {
    const [server, caller] = [await certificateOf(['auth']), await certificateOf(['gateway'])]
    const { address } = await serve(server)
    const client = connect(address, caller)
    const stop = new AbortController()
    let calls = 0
    const calling = (async () => {
      for (; !stop.signal.aborted; calls++) expect(await client.getUser(query)).toEqual(served)
    })()

    // First both sides trust both authorities, then they use the new certificates, then the old authority is removed.
    const both = `${authority.certificate}${stranger.certificate}`
    const steps: Holder[] = [{ trusts: both }, { signedBy: stranger, trusts: both }, { signedBy: stranger, trusts: stranger.certificate }]
    for (const step of steps) {
      await certificateOf(['auth'], step, server.path)
      await certificateOf(['gateway'], step, caller.path)
      const { signedBy = authority } = step
      const own = await certificateOf(['caseway'], { signedBy, trusts: signedBy.certificate })
      await eventually(async () => {
        const one = connect(address, own)
        expect(await one.getUser(query)).toEqual(served)
      })
    }
    const before = calls
    await eventually(() => expect(calls).toBeGreaterThan(before))
    stop.abort()
    await calling

    const outdated = await certificateOf(['gateway'], { trusts: both })
    await eventually(() => expect(connect(address, outdated).getUser(query)).rejects.toMatchObject({ kind: 'unavailable' }))
    expect(await connect(address, caller).getUser(query)).toEqual(served)
  })

  it('are not used while key and certificate do not match', async () => {
    const server = await certificateOf(['auth'])
    const { address, lines } = await serve(server)
    const { key } = await authority.issue(['auth'])
    writeFileSync(server.keyFile, key)
    await eventually(() => expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', file: server.certFile })))
    expect(await connect(address, await certificateOf(['gateway'])).getUser(query)).toEqual(served)
  })
})

function check(address: string, security: GrpcSecurity): Promise<unknown> {
  const { Check } = healthService as unknown as Record<string, MethodDefinition<object, object>>
  const { path, requestSerialize, responseDeserialize } = Check as MethodDefinition<object, object>
  const client = new Client(address, channelCredentials(security, log), { 'grpc.ssl_target_name_override': 'auth' })
  cleanUps.unshift(() => client.close())
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: '' }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    ),
  )
}
