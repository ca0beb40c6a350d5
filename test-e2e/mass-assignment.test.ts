import type { Audience } from '@caseway/kit/caller'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { type Declared, declaredResources } from './support/declared-resources.js'
import { clientRecords, officeRecords } from './support/demo-records.js'
import { foreignValue, holds } from './support/foreign-values.js'
import { type Documented, operations, wrappedBody } from './support/openapi.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import type { Records } from './support/samples.js'
import { columnsOf, rowOf, type StoredColumn, type StoredRow } from './support/stored-rows.js'

interface Address {
  readonly records: Records
  readonly documented: readonly Documented[]
}

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let addresses: Record<Audience, Address>
let another: Records

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  const address = async (records: Records) => ({ records, documented: await operations(records.api) })
  another = await officeRecords(demo, 1)
  addresses = { expert: await address(await officeRecords(demo, 0)), client: await address(await clientRecords(demo)) }
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** The operations that write a record: below the path of the resource, with its wrapper. */
const writesOf = ({ resource }: Declared) =>
  addresses[resource.audience].documented.filter(
    ({ method, path, operation }) =>
      ['POST', 'PUT'].includes(method) &&
      [path, path.replace(/\/[^/]*$/, '')].includes(`/${resource.path}`) &&
      wrappedBody(operation)?.wrapper === resource.name,
  )

/** Sends the foreign values; those that a 400 names are refused, and the others are sent again. */
async function send(api: HttpClient, method: string, path: string, wrapper: string, fields: object, foreign: Record<string, unknown>) {
  const answer = await api.request<{ errorMessages: object }>(method, path, { [wrapper]: { ...foreign, ...fields } })
  if (answer.status !== 400) return answer
  const refused = Object.keys(answer.body.errorMessages)
  expect({ path, refused: refused.filter((name) => !(name in foreign)), answer: answer.text }).toMatchObject({ refused: [] })
  const others = Object.fromEntries(Object.entries(foreign).filter(([name]) => !refused.includes(name)))
  return api.request(method, path, { [wrapper]: { ...others, ...fields } })
}

/** The columns that an operation does not offer to write. */
async function keptColumns(declared: Declared, { operation }: Documented): Promise<StoredColumn[]> {
  const offered = wrappedBody(operation)?.fields ?? []
  return (await columnsOf(home, declared)).filter(({ name }) => !offered.includes(name))
}

const foreignValues = (declared: Declared, columns: readonly StoredColumn[], stored: StoredRow, office = 1) =>
  Object.fromEntries(
    columns.map((column) => [column.name, foreignValue(declared.resource, column, stored, demo.offices[office]?.customer_id ?? '')]),
  )

/** Of which an office has one: the second is that of another office. */
const oneOfOffice = ['/company_card']

async function expectCreatedAsUsual(declared: Declared, write: Documented): Promise<void> {
  const { records } = addresses[declared.resource.audience]
  const columns = await keptColumns(declared, write)
  const isOne = oneOfOffice.includes(write.path)
  const usual = await rowOf(home, declared, await (isOne ? records.one : records.create)(write.path))
  const foreign = foreignValues(declared, columns, usual, isOne ? 0 : 1)
  const [[wrapper, fields] = []] = Object.entries(await records.body(write.path))
  const { api } = isOne ? another : records
  const { status, text, headers } = await send(api, write.method, write.path, wrapper ?? '', fields, foreign)
  expect({ path: write.path, status, text }).toMatchObject({ status: 201 })
  const row = await rowOf(home, declared, headers.get('location')?.split('/').at(-1) ?? '')
  expect(columns.filter((column) => holds(row[column.name], foreign[column.name], column))).toEqual([])
}

/** What a change of the record advances whatever it changes. */
const advancing = ({ modified: _, version: __, ...others }: StoredRow) => others

async function expectUnchanged(declared: Declared, write: Documented): Promise<void> {
  const { resource } = declared
  const { records } = addresses[resource.audience]
  const { api } = records
  const read = async (path: string) => (await api.get<Record<string, StoredRow>>(path)).body[resource.name] ?? {}
  const isOne = write.path.endsWith('{id}')
  const path = isOne ? write.path.replace('{id}', await records.one(`/${resource.path}`)) : write.path
  const shown = await read(path)
  const id = String(shown[resource.idColumn.wire])
  const columns = await keptColumns(declared, write)
  const before = await rowOf(home, declared, id)
  const foreign = foreignValues(declared, columns, before)
  const { status, text } = await send(api, write.method, path, resource.name, {}, foreign)
  expect({ path, status, text }).toMatchObject({ status: 200 })
  const after = await rowOf(home, declared, id)
  expect(advancing(after)).toEqual(advancing(before))
  expect(columns.filter((column) => holds(after[column.name], foreign[column.name], column))).toEqual([])
  expect(advancing(await read(path))).toEqual(advancing(shown))
}

const declared = await declaredResources()
const titled = declared.map((each) => [`${each.resource.documentedAs} of ${each.resource.audience}s`, each] as const)
const walked = new Set<Documented>()

describe('what a request does not offer to write, is not written', () => {
  it.each(titled)('%s', async (_, declared) => {
    for (const write of writesOf(declared)) {
      walked.add(write)
      await (write.method === 'POST' ? expectCreatedAsUsual : expectUnchanged)(declared, write)
    }
  })

  it('by any operation that takes fields of a record', () => {
    const takesFields = ({ operation }: Documented) => {
      const body = wrappedBody(operation)
      return declared.some(({ resource }) => resource.name === body?.wrapper && body.fields.some((field) => field in resource.fields))
    }
    const taking = Object.values(addresses).flatMap(({ documented }) => documented.filter(takesFields))
    expect(taking.filter((operation) => !walked.has(operation)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})
