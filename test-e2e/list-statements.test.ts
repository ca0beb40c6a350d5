import type { Audience } from '@caseway/kit/caller'
import type { Resource } from '@caseway/kit/resource'
import { type TraceReceiver, traceReceiver } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Declared, declaredResources } from './support/declared-resources.js'
import { clientRecords, officeRecords } from './support/demo-records.js'
import { fillList } from './support/filled-lists.js'
import { type Documented, operations } from './support/openapi.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import type { Records } from './support/samples.js'
import { statementsOf } from './support/statement-count.js'

type Item = Record<string, Record<string, unknown>>

const { home, remove } = temporaryHome()
let receiver: TraceReceiver
let platform: TestPlatform
let launcher: Launcher
let addresses: Record<Audience, { records: Records; lists: Documented[] }>

beforeAll(async () => {
  receiver = await traceReceiver()
  platform = await testPlatform()
  launcher = launch(home, { ...platform.variables, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' })
  const demo = await launcher.ready()
  const address = async (records: Records) => ({ records, lists: (await operations(records.api)).filter(isList) })
  addresses = { expert: await address(await officeRecords(demo, 0, platform, home)), client: await address(await clientRecords(demo)) }
  for (const { records, lists } of Object.values(addresses))
    for (const { path, operation } of lists) if (!ofNoResource.includes(operation.operationId ?? '')) await records.one(path)
}, 180_000)
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  await receiver?.stop()
  remove()
})

/** Lists of computed records, which no request creates. */
const ofNoResource = ['readReports', 'readMargins']

const isList = ({ method, operation }: Documented) => method === 'GET' && operation.parameters?.some(({ name }) => name === 'limit')

const listOf = ({ resource }: Declared) =>
  addresses[resource.audience].lists.find(({ operation }) => operation.operationId === `list${resource.documentedAs}`)

/** Requests a page with everything that can be embedded, and counts the statements. */
async function page(declared: Declared, path: string, limit: number): Promise<{ items: Item[]; statements: string[] }> {
  const { api } = addresses[declared.resource.audience].records
  const embed = Object.keys(declared.resource.embeddable)
  const paged = `${path}?limit=${limit}&count=1${embed.length > 0 ? `&embed=${embed}` : ''}`
  const { answer, statements } = await statementsOf<Item[] | { results: Item[] }>(receiver, api, paged)
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return { items: Array.isArray(answer.body) ? answer.body : answer.body.results, statements }
}

const idOf = ({ name, idColumn: { wire }, unwrapped }: Resource, item: Item) => String((unwrapped ? item : item[name])?.[wire])

/** Lists that cannot have a full page: a client is linked with few offices. */
const short = ['customer_user_link']

const declared = await declaredResources()
const titled = declared.map((each) => [`${each.resource.documentedAs} of ${each.resource.audience}s`, each] as const)
const walked = new Set<Documented>()

describe('a list costs at most 5 statements, whether it shows 1 record or a full page', () => {
  it.each(titled)(
    '%s',
    async (_, declared) => {
      const { resource } = declared
      const list = listOf(declared)
      if (!list) return
      walked.add(list)
      const one = await page(declared, list.path, 1)
      expect(one.items).toHaveLength(1)
      expect(one.statements.length).toBeGreaterThan(0)
      const isShort = short.includes(resource.path)
      const { records } = addresses[resource.audience]
      const limit = isShort ? 1_000 : await fillList(home, declared, records, idOf(resource, one.items[0] ?? {}))
      const full = await page(declared, list.path, limit)
      if (!isShort) expect(full.items).toHaveLength(limit)
      for (const { statements } of [one, full]) expect(statements.length > 5 ? statements : []).toEqual([])
    },
    60_000,
  )

  it.each(ofNoResource)('%s', async (operationId) => {
    const { records, lists } = addresses.expert
    const list = lists.find(({ operation }) => operation.operationId === operationId) as Documented
    walked.add(list)
    const { answer, statements } = await statementsOf(receiver, records.api, `${list.path}?limit=1000`)
    expect([answer.status, statements.length > 0]).toEqual([200, true])
    expect(statements.length > 5 ? statements : []).toEqual([])
  })

  it('and there are no other lists', () => {
    const lists = Object.values(addresses).flatMap(({ lists }) => lists)
    expect(lists.filter((list) => !walked.has(list)).map(({ path }) => path)).toEqual([])
  })
})
