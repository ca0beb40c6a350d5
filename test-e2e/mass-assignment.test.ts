import type { Audience } from '@caseway/kit/caller'
import type { HttpClient } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { type Declared, declaredResources } from './support/declared-resources.js'
import { clientRecords, officeRecords } from './support/demo-records.js'
import { foreignValue, holds } from './support/foreign-values.js'
import { type Documented, operations, wrappedBody } from './support/openapi.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { createdId, type Records } from './support/samples.js'
import { columnsOf, rowOf, type StoredColumn, type StoredRow } from './support/stored-rows.js'

interface Address {
  readonly records: Records
  readonly documented: readonly Documented[]
}

const { home, remove } = temporaryHome()
let platform: TestPlatform
let launcher: Launcher
let demo: Demo
let addresses: Record<Audience, Address>
let another: Records

beforeAll(async () => {
  platform = await testPlatform()
  launcher = launch(home, platform.variables)
  demo = await launcher.ready()
  const address = async (records: Records) => ({ records, documented: await operations(records.api) })
  another = await officeRecords(demo, 1, platform, home)
  addresses = { expert: await address(await officeRecords(demo, 0, platform, home)), client: await address(await clientRecords(demo)) }
})
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  remove()
})

/** Operations that accept the fields of a record but store nothing. */
const keepingNothing = ['/mail_server/test']

/** The operations that write a record: they are below the path of the resource, and accept its wrapper. */
const writesOf = ({ resource }: Declared) =>
  addresses[resource.audience].documented.filter(
    ({ method, path, operation }) =>
      ['POST', 'PUT'].includes(method) &&
      !keepingNothing.includes(path) &&
      [path, path.replace(/\/[^/]*$/, '')].includes(`/${resource.path}`) &&
      wrappedBody(operation)?.wrapper === resource.name,
  )

/** Sends foreign values. Those that a 400 refuses are left out, and the others are sent again. */
async function send(api: HttpClient, method: string, path: string, wrapper: string, fields: object, foreign: Record<string, unknown>) {
  const answer = await api.request<{ errorMessages: object }>(method, path, { [wrapper]: { ...foreign, ...fields } })
  if (answer.status !== 400) return answer
  const refused = Object.keys(answer.body.errorMessages)
  expect({ path, refused: refused.filter((name) => !(name in foreign)), answer: answer.text }).toMatchObject({ refused: [] })
  const others = Object.fromEntries(Object.entries(foreign).filter(([name]) => !refused.includes(name)))
  return api.request(method, path, { [wrapper]: { ...others, ...fields } })
}

/** The columns that an operation does not accept. */
async function keptColumns(declared: Declared, { operation }: Documented): Promise<StoredColumn[]> {
  const offered = wrappedBody(operation)?.fields ?? []
  return (await columnsOf(home, declared)).filter(({ name }) => !offered.includes(name))
}

const foreignValues = (declared: Declared, columns: readonly StoredColumn[], stored: StoredRow, office = 1) =>
  Object.fromEntries(
    columns.map((column) => [column.name, foreignValue(declared.resource, column, stored, demo.offices[office]?.customer_id ?? '')]),
  )

/** Paths whose POST saves the caller's own single record. */
const savingOwn = ['/mail_folder_setting']

/** Paths whose PUT changes every record of the caller in the same way. */
const changingAll = ['/notification']

/** Paths with a single record per office, so the second record is that of another office. */
const oneOfOffice = ['/company_card']

async function expectCreatedAsUsual(declared: Declared, write: Documented): Promise<void> {
  const { records } = addresses[declared.resource.audience]
  const columns = await keptColumns(declared, write)
  const isOne = oneOfOffice.includes(write.path)
  const usual = await rowOf(home, declared, await (isOne ? records.one : records.create)(write.path))
  const foreign = foreignValues(declared, columns, usual, isOne ? 0 : 1)
  const [[wrapper, fields] = []] = Object.entries(await records.body(write.path))
  const { api } = isOne ? another : records
  const answer = await send(api, write.method, write.path, wrapper ?? '', fields, foreign)
  const id = createdId(answer)
  expect({ path: write.path, id, text: answer.text }).toMatchObject({ id: expect.any(String) })
  const row = await rowOf(home, declared, id ?? '')
  expect(columns.filter((column) => holds(row[column.name], foreign[column.name], column))).toEqual([])
}

/** Columns that every change advances. */
const advancing = ({ modified: _, version: __, ...others }: StoredRow) => others

async function expectUnchanged(declared: Declared, write: Documented): Promise<void> {
  const { resource } = declared
  const { records } = addresses[resource.audience]
  const { api } = records
  const read = async (path: string) => (await api.get<Record<string, StoredRow>>(path)).body[resource.name] ?? {}
  const takesIds = wrappedBody(write.operation)?.fields.includes('ids') ?? false
  const changesAll = changingAll.includes(write.path)
  const isOne = write.path.endsWith('{id}') || takesIds || changesAll
  const path = isOne ? `/${resource.path}/${await records.one(`/${resource.path}`)}` : write.path
  // A record that POST saves is saved once before.
  const saved = write.method === 'POST' ? ((await records.body(write.path)) as Record<string, object>) : {}
  if (write.method === 'POST') await api.post(write.path, saved)
  if (changesAll) await api.put(write.path, undefined)
  const shown = await read(path)
  const id = String(shown[resource.idColumn.wire])
  const columns = await keptColumns(declared, write)
  const before = await rowOf(home, declared, id)
  const foreign = foreignValues(declared, columns, before)
  const fields = { ...saved[resource.name], ...(takesIds && { ids: [id] }) }
  const { status, text } = await send(api, write.method, takesIds || changesAll ? write.path : path, resource.name, fields, foreign)
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
      await (write.method === 'POST' && !savingOwn.includes(write.path) ? expectCreatedAsUsual : expectUnchanged)(declared, write)
    }
  })

  it('by any operation that takes fields of a record', () => {
    const takesFields = ({ path, operation }: Documented) => {
      if (keepingNothing.includes(path)) return false
      const body = wrappedBody(operation)
      return declared.some(({ resource }) => resource.name === body?.wrapper && body.fields.some((field) => field in resource.fields))
    }
    const taking = Object.values(addresses).flatMap(({ documented }) => documented.filter(takesFields))
    expect(taking.filter((operation) => !walked.has(operation)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})
