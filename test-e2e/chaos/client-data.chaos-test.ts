import { randomUUID } from 'node:crypto'
import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { type ScimFault, type ScimServer, scimServer } from '@caseway/testing/scim-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { asOwner, rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs, signInAsAnybody } from '../support/people.js'
import { type DistributedPlatform, startDistributed } from './support/distributed.js'

/** `CHAOS=long` uses the numbers of the acceptance test. */
const kills = process.env.CHAOS === 'long' ? 20 : 1
const convergedWithinMs = 30_000

let scim: ScimServer
let distributed: DistributedPlatform
let expert: SignedIn
let technical: HttpClient
beforeAll(async () => {
  scim = await scimServer()
  distributed = await startDistributed(1, { SSO_URL: scim.url })
}, 240_000)
afterAll(async () => {
  await distributed?.stop()
  await scim?.stop()
}, 60_000)

interface Client {
  readonly id: number
  readonly external: string
  readonly email: string
}

const inDatabase = <Row extends pg.QueryResultRow>(service: string, sql: string) => rowsOf<Row>(distributed.home, service, sql)

async function newClient(): Promise<Client> {
  const { demo } = distributed
  // Signs in again, because the long run takes longer than the fifteen minutes of a token.
  expert = await signInAs(demo, 'expert')
  technical = httpClient(`${demo.base_url}/rest`, await signInAsAnybody(demo, 'technical'))
  const [external, email] = [randomUUID(), `${randomUUID()}@client.test`]
  const names = { firstname: 'Ada', lastname: 'Nowak' }
  const { body } = await expert.api.post<{ id: number }>('/client', { Client: { ...names, email, external_user_id: external } })
  const card = { first_name: 'Ada', last_name: 'Nowak', email, user_client_id: String(body.id) }
  await eventually(async () => expect((await expert.api.post('/issue_initiator', { IssueInitiator: card })).status).toBe(201))
  await scim.put({ id: external, userName: email, emails: [{ value: email }] })
  return { id: body.id, external, email }
}

/** The address of a client in every place where it is stored. */
async function addressesOf({ id, external }: Client): Promise<(string | null | undefined)[]> {
  const [account] = await inDatabase<{ email: string }>('auth', `SELECT email::text FROM clients WHERE id = ${id}`)
  const cards = await inDatabase<{ email: string }>('cases-and-counters', `SELECT email FROM issue_initiators WHERE user_client_id = ${id}`)
  const person = await scim.user(external)
  return [account?.email, ...cards.map(({ email }) => email), person?.userName, person?.emails?.[0]?.value]
}

const post = ({ external }: Client, email: string) =>
  technical.post('/partner_client_data', { PartnerClientData: { external_user_id: external, email } })

const stateOf = async ({ external }: Client) =>
  (await inDatabase<{ state: string }>('partner', `SELECT state FROM client_data_changes WHERE external_user_id = '${external}'`))[0]?.state

/** Holds row locks during `work`. */
const whileLocked = (service: string, lock: string, work: () => Promise<void>) =>
  asOwner(distributed.home, service, async (owner) => {
    await owner.query(`BEGIN; ${lock}`)
    await work()
    await owner.query('ROLLBACK')
  })

interface Step {
  readonly step: string
  readonly fault?: ScimFault
  /** The service and the statement that lock rows of the client. */
  readonly locked?: (client: Client) => [service: string, statement: string]
  /**
   * The state that the change must reach before the rows are locked and the fault of the single sign-on system ends; by default both happen at the
   * beginning.
   */
  readonly lockedAfter?: string
  /** Resolves when the change has reached the point at which the process is killed. */
  readonly reached: (client: Client, email: string) => Promise<void>
  readonly victim: string
}

const stateIs = (state: string) => async (client: Client) => expect(await stateOf(client)).toBe(state)
const personHas = async ({ external }: Client, email: string) => expect((await scim.user(external))?.userName).toBe(email)
const account = ({ id }: Client): [string, string] => ['auth', `SELECT FROM clients WHERE id = ${id} FOR UPDATE`]
const cards = ({ id }: Client): [string, string] => [
  'cases-and-counters',
  `SELECT FROM issue_initiators WHERE user_client_id = ${id} FOR UPDATE`,
]

const steps: readonly Step[] = [
  { step: 'before the address is reserved', locked: account, reached: stateIs('received'), victim: 'partner-1' },
  {
    step: 'while the single sign-on system is asked who has the address',
    fault: 'hold',
    reached: stateIs('received'),
    victim: 'partner-1',
  },
  { step: 'while it is asked to change', fault: 'hold-patch', reached: stateIs('reserved'), victim: 'partner-1' },
  { step: 'after it has changed, of which nobody heard', fault: 'patch-lost', reached: personHas, victim: 'partner-1' },
  ...['partner-1', 'auth-1'].map((victim) => ({
    ...{ step: 'after it has changed, before the account', fault: 'hold-patch' as const, lockedAfter: 'reserved', locked: account },
    ...{ reached: personHas, victim },
  })),
  { step: 'while the cards are changed', locked: cards, reached: stateIs('applied'), victim: 'partner-1' },
  { step: 'while the cards are changed, at their owner', locked: cards, reached: stateIs('applied'), victim: 'cases-and-counters-1' },
]

/** Kills a process in the middle of a change. */
async function killIn({ fault = 'none', locked, lockedAfter, reached, victim }: Step, client: Client, email: string): Promise<void> {
  await scim.fault(fault)
  const change = () => post(client, email).catch(() => undefined)
  const begun = lockedAfter === undefined ? undefined : change()
  if (lockedAfter) await eventually(() => stateIs(lockedAfter)(client), { timeoutMs: 10_000, everyMs: 20 })
  const strike = async () => {
    const answer = begun ?? change()
    if (begun) await scim.fault('none')
    await eventually(() => reached(client, email), { timeoutMs: 10_000, everyMs: 20 })
    await distributed.replace(victim, 'SIGKILL')
    const { status = 0, body } = (await answer) ?? {}
    // The response does not promise that nothing was changed.
    if (status === 503) expect((body as { errorCode: string }).errorCode).not.toBe('SSO_UNAVAILABLE')
  }
  if (locked) await whileLocked(...locked(client), strike)
  else await strike()
  await scim.fault('none')
}

/** Resolves with the address once it is the same everywhere. */
const settled = (client: Client) =>
  eventually(
    async () => {
      expect(['changed', 'refused']).toContain(await stateOf(client))
      const addresses = await addressesOf(client)
      expect([addresses.length, new Set(addresses).size]).toEqual([4, 1])
      return addresses[0]
    },
    { timeoutMs: convergedWithinMs, everyMs: 100 },
  )

describe.each(steps)('a process that is killed $step ($victim)', (step) => {
  it(
    `leaves all as it was, or makes the whole change: ${kills} times`,
    async () => {
      for (let kill = 0; kill < kills; kill++) {
        const client = await newClient()
        const email = `${randomUUID()}@client.test`
        await killIn(step, client, email)
        expect([client.email, email]).toContain(await settled(client))
        await eventually(async () => expect((await post(client, email)).status).toBe(200), { timeoutMs: 10_000 })
        expect(new Set(await addressesOf(client))).toEqual(new Set([email]))
      }
    },
    90_000 * kills,
  )
})
