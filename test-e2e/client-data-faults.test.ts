import { eventually } from '@caseway/testing'
import { holdTransaction } from '@caseway/testing/held-transaction'
import type { ScimFault } from '@caseway/testing/scim-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { address, type ClientDataPlatform, type ClientOf, clientDataPlatform, stateWith } from './support/client-data.js'

let platform: ClientDataPlatform
beforeAll(async () => {
  platform = await clientDataPlatform()
}, 30_000)
afterAll(() => platform.stop())

const patience = { timeoutMs: 30_000 }
const unavailable =
  '{"status":"error","errorMessages":"The single sign-on system is unavailable. Nothing was changed.","errorCode":"SSO_UNAVAILABLE"}'
const codeOf = ({ body }: { body: unknown }) => (body as { errorCode?: string }).errorCode

const change = ({ external }: ClientOf, email = address()) => ({ external_user_id: external, email, lastname: 'Lis' })
const newState = (client: ClientOf, { email, lastname }: ReturnType<typeof change>) => stateWith(client, { email, lastname })
const isStill = async (client: ClientOf) => expect(await platform.stateOf(client)).toEqual(stateWith(client))
const isAll = (client: ClientOf, sent: ReturnType<typeof change>) =>
  eventually(async () => expect(await platform.stateOf(client)).toEqual(newState(client, sent)), patience)
const unfinished = () => platform.partner.service.administration.unfinishedClientDataChanges(10)

/** Checks that the change was made: a repeated call finds nothing to change. */
async function expectMade(client: ClientOf, sent: ReturnType<typeof change>): Promise<void> {
  await isAll(client, sent)
  expect((await platform.post(sent)).body).toEqual({ status: 'success', message: { updated: false } })
  expect(await unfinished()).toEqual([])
}

describe('a single sign-on system', () => {
  const faults: ScimFault[] = ['error', 'patch-error', 'not-json', 'wrong-types', 'someone-else', 'huge', 'redirect', 'hold']

  it.each(faults)(
    'that fails before it has changed anything (%s): 503, nothing is changed, and the call may be repeated',
    async (fault) => {
      const client = await platform.client()
      const sent = change(client)
      await platform.scim.fault(fault)
      const answer = await platform.post(sent)
      expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([503, unavailable, '1'])
      await platform.scim.fault('none')
      await isStill(client)
      expect(await unfinished()).toEqual([])
      expect((await platform.post(sent)).status).toBe(200)
      await isAll(client, sent)
    },
  )

  it('that finally reports that the address is taken: 403, nothing is changed', async () => {
    const client = await platform.client()
    await platform.scim.fault('patch-taken')
    const answer = await platform.post(change(client))
    await platform.scim.fault('none')
    expect([answer.status, codeOf(answer)]).toEqual([403, 'EMAIL_TAKEN_BY_CLIENT'])
    await isStill(client)
  })

  it('that makes only a part of the change: 503, nothing is changed', async () => {
    const client = await platform.client()
    await platform.scim.fault('addresses-refused')
    const answer = await platform.post(change(client))
    await platform.scim.fault('none')
    expect([answer.status, answer.text]).toEqual([503, unavailable])
    await isStill(client)
    expect(await unfinished()).toEqual([])
  })

  it('that knows several people with the address changes the one whose user name it is', async () => {
    const client = await platform.client()
    const other = { id: address(), userName: 'somebody', emails: [{ value: client.email }] }
    await platform.scim.put(other)
    const sent = change(client)
    expect((await platform.post(sent)).status).toBe(200)
    await isAll(client, sent)
    expect(await platform.scim.user(other.id)).toEqual(other)
  })

  it('that makes the change and answers with an error: the change is made', async () => {
    const client = await platform.client()
    const sent = change(client)
    await platform.scim.fault('patch-error-after')
    expect((await platform.post(sent)).status).toBe(200)
    await platform.scim.fault('none')
    await expectMade(client, sent)
  })

  it.each(['patch-lost', 'hold-patch'] as const)(
    'of which nobody knows whether it has changed (%s): the change is made',
    async (fault) => {
      const client = await platform.client()
      const sent = change(client)
      await platform.scim.fault(fault)
      const answer = await platform.post(sent)
      expect([200, 503]).toContain(answer.status)
      if (answer.status === 503) expect(codeOf(answer)).toBe('OUTCOME_UNKNOWN')
      await platform.scim.fault('none')
      await expectMade(client, sent)
    },
    60_000,
  )

  it('that goes down during the change: the change goes on when it is back', async () => {
    const client = await platform.client()
    const sent = change(client)
    await platform.scim.fault('hold-patch')
    const answer = platform.post(sent)
    await eventually(async () => expect(await unfinished()).toMatchObject([{ externalUserId: client.external, state: 'reserved' }]))
    // A change that had not reached it would be refused instead of unknown.
    const asked = expect.objectContaining({ method: 'PATCH', path: expect.stringContaining(client.external) })
    await eventually(async () => expect(await platform.scim.requests()).toContainEqual(asked))
    await platform.scim.kill()
    expect(codeOf(await answer)).toBe('OUTCOME_UNKNOWN')
    expect(await platform.accounts.database.rows('SELECT email::text FROM clients WHERE id = $1', [client.id])).toEqual([
      { email: client.email },
    ])
    expect(await platform.partner.figure('partner_client_data_oldest_seconds')).toBeGreaterThan(0)
    await platform.scim.start({ id: client.external, userName: client.email, emails: [{ value: client.email }] })
    await eventually(async () => expect(await unfinished()).toEqual([]), patience)
    expect(await platform.scim.user(client.external)).toMatchObject({ userName: sent.email, emails: [{ value: sent.email }] })
    expect((await platform.post(sent)).body).toEqual({ status: 'success', message: { updated: false } })
  }, 60_000)

  it('is called with its token, and not for an unknown person or a company', async () => {
    const client = await platform.client()
    await platform.scim.put({ id: client.external, userName: 'unknown' })
    const sent = change(client)
    expect((await platform.post(sent)).status).toBe(200)
    expect(await platform.scim.user(client.external)).toEqual({ id: client.external, userName: 'unknown' })
    const requests = await platform.scim.requests()
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sso-token']))
    expect(requests.filter(({ method, body }) => method === 'PATCH' && body.includes(sent.email))).toEqual([])
    expect((await platform.post({ external_user_id: client.external, company_name: 'Lis Ltd' })).status).toBe(200)
    expect(await platform.scim.requests()).toHaveLength(requests.length)
  })
})

describe('a single sign-on system that did not answer when it was asked to change', () => {
  /** A change that was sent, and whose outcome is unknown. */
  const begun = async () => {
    const client = await platform.client()
    const sent = change(client)
    await platform.scim.fault('hold-patch')
    expect(codeOf(await platform.post(sent))).toBe('OUTCOME_UNKNOWN')
    return { client, sent }
  }
  const untilEnded = () => eventually(async () => expect(await unfinished()).toEqual([]), patience)

  it('and does not know the person any more: the change is made everywhere else', async () => {
    const { client, sent } = await begun()
    await platform.scim.remove(client.external)
    await platform.scim.fault('none')
    await untilEnded()
    expect(await platform.stateOf(client)).toEqual({ ...newState(client, sent), person: undefined })
    expect((await platform.post(sent)).body).toEqual({ status: 'success', message: { updated: false } })
  }, 60_000)

  it('and knows the person by another id: the change is made there as well', async () => {
    const { client, sent } = await begun()
    await platform.scim.remove(client.external)
    const id = `new-${client.external}`
    await platform.scim.put({ id, userName: client.email })
    await platform.scim.fault('none')
    await untilEnded()
    expect(await platform.scim.user(id)).toMatchObject({ userName: sent.email, name: { familyName: 'Lis' } })
    expect(await platform.stateOf(client)).toMatchObject({ account: { email: sent.email } })
  }, 60_000)

  it('and whose client is deleted with their last office meanwhile: the change is refused', async () => {
    const { client, sent } = await begun()
    const { administration } = platform.accounts.service
    await administration.closeOffice(client.offices[0] ?? 0n, new Date(0))
    await administration.removeDueOffices()
    await eventually(async () => expect(await platform.stateOf(client)).toMatchObject({ account: undefined }))
    await platform.scim.fault('none')
    await untilEnded()
    expect(codeOf(await platform.post(sent))).toBe('CLIENT_USER_NOT_FOUND')
  }, 60_000)

  it('and refuses the change without any part of it: nothing is changed, and the call may be repeated', async () => {
    const { client, sent } = await begun()
    await platform.scim.fault('patch-refused')
    await untilEnded()
    await isStill(client)
    expect((await platform.post(sent)).text).toBe(unavailable)
    await platform.scim.fault('none')
    expect((await platform.post(sent)).status).toBe(200)
    await isAll(client, sent)
  }, 60_000)

  it('and refuses the change, of which a part was true before: nothing is changed', async () => {
    const client = await platform.client()
    const sent = change(client)
    const before = { id: client.external, userName: client.email, name: { givenName: 'Ada', familyName: sent.lastname } }
    await platform.scim.put(before)
    await platform.scim.fault('hold-patch')
    expect(codeOf(await platform.post(sent))).toBe('OUTCOME_UNKNOWN')
    await platform.scim.fault('patch-refused')
    await untilEnded()
    await platform.scim.fault('none')
    expect(await platform.scim.user(client.external)).toEqual(before)
    expect(await platform.stateOf(client)).toMatchObject({ account: { email: client.email, lastname: 'Nowak' } })
  }, 60_000)

  it('and refuses both the rest of the change and its reversal: the change goes on', async () => {
    const { client, sent } = await begun()
    const names = { givenName: 'Ada', familyName: sent.lastname }
    await platform.scim.put({ id: client.external, userName: client.email, name: names })
    const { length: before } = await platform.scim.requests()
    await platform.scim.fault('patch-refused')
    const patches = async () => (await platform.scim.requests()).slice(before).filter(({ method }) => method === 'PATCH')
    const untilMoreThan = (count: number) => eventually(async () => expect((await patches()).length).toBeGreaterThan(count), patience)
    await untilMoreThan(1)
    expect(await unfinished()).toMatchObject([{ externalUserId: client.external, state: 'reserved' }])
    // The fault ends while the change itself is being requested and not its reversal, because an accepted reversal would end the change.
    do {
      await platform.scim.fault('patch-refused')
      await platform.scim.fault('hold-patch')
      await untilMoreThan((await patches()).length)
    } while (!(await patches()).at(-1)?.body.includes(sent.email))
    await platform.scim.fault('none')
    await untilEnded()
    expect(await platform.scim.user(client.external)).toMatchObject({ userName: sent.email })
    expect(await platform.stateOf(client)).toMatchObject({ account: { email: sent.email } })
  }, 60_000)
})

describe('a card that cannot be changed', () => {
  it('delays the change after the accounts, but not for ever', async () => {
    const client = await platform.client({ offices: 2 })
    const sent = change(client)
    const lock = 'SELECT FROM issue_initiators WHERE customer_id = $1 FOR UPDATE'
    const held = await holdTransaction(platform.cases.database, lock, [client.offices[1]])
    const key = { 'idempotency-key': client.external }
    const answer = await platform.post(sent, key)
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'OUTCOME_UNKNOWN', '1'])
    expect(await unfinished()).toMatchObject([{ externalUserId: client.external, state: 'applied' }])
    await held.commit()
    expect((await platform.post(sent, key)).status).toBe(200)
    await expectMade(client, sent)
  }, 60_000)
})
