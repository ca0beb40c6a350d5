import { randomUUID } from 'node:crypto'
import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { clientUrl } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Files, formOf, scanned, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

/** Creates a client of these offices, whose links have arrived as events. */
async function linkedTo(...offices: ReturnType<Files['office']>[]) {
  const client = files.client(...offices)
  const links = files.auth.links.filter(({ clientId }) => clientId === client.userId)
  await files.publish(linkTopic, ...links)
  /** Changes the link with the first office, and publishes the event. */
  const change = async (fields: Partial<LinkEvent>) => {
    const link = links[0] as LinkEvent
    Object.assign(link, fields, { revision: link.revision + 1n })
    await files.publish(linkTopic, link)
  }
  return { http: files.asClient(client), change }
}

it('a client sends a file to their only office, which sees it as one of its own', async () => {
  const office = files.office()
  const { http } = await linkedTo(office)
  const created = await http.post<{ id: number }>('/common_file', formOf('my letter'))
  expect(created.headers.get('location')).toBe(`${clientUrl}/rest/common_file/${created.body.id}`)
  const record = { id: String(created.body.id), customer_id: String(office.customerId) }
  expect(await scanned(http, created.body.id)).toMatchObject(record)
  expect(await scanned(files.asExpert(office.expert), created.body.id)).toMatchObject(record)
  for (const reader of [http, files.asExpert(office.expert)])
    expect((await reader.get(`/common_file/${created.body.id}`)).text).toBe('my letter')
})

it('a client of several offices must name one, in the form or in the query', async () => {
  const [here, there, foreign] = [files.office(), files.office(), files.office()]
  const { http } = await linkedTo(here, there)
  const required = { status: 400, body: { errorMessages: { customer_id: 'is required' } } }
  const unknown = { status: 400, body: { errorMessages: { customer_id: 'does not exist' } } }
  expect(await http.post('/common_file', formOf('x'))).toMatchObject(required)
  expect(await http.post(`/common_file?customer_id=${foreign.customerId}`, formOf('x'))).toMatchObject(unknown)
  expect(await http.post('/common_file', formOf('x', 'x', { customer_id: 'none' }))).toMatchObject(unknown)
  const once = { status: 400, body: { errorMessages: { customer_id: 'must be given once' } } }
  const both = formOf('x', 'x', { customer_id: String(here.customerId) })
  both.append('customer_id', String(there.customerId))
  expect(await http.post('/common_file', both)).toMatchObject(once)
  const twice = `customer_id=${here.customerId}&customer_id=${there.customerId}`
  expect(await http.post(`/common_file?${twice}`, formOf('x'))).toMatchObject(once)
  const ids = [
    await upload(http, 'x', 'x', { customer_id: String(here.customerId) }),
    (await http.post<{ id: number }>(`/common_file?customer_id=${there.customerId}`, formOf('y'))).body.id,
  ]
  expect((await http.get<object[]>('/common_file')).body).toHaveLength(2)
  expect((await http.get(`/common_file?customer_id=${there.customerId}`)).body).toMatchObject([{ CommonFile: { id: String(ids[1]) } }])
})

it('an Idempotency-Key of a client is refused with another office in the form', async () => {
  const [here, there] = [files.office(), files.office()]
  const { http } = await linkedTo(here, there)
  const key = { 'idempotency-key': randomUUID() }
  const send = (office: bigint) => http.post<{ id: number }>('/common_file', formOf('x', 'x', { customer_id: String(office) }), key)
  const first = await send(here.customerId)
  expect(await send(here.customerId)).toMatchObject({ status: 201, body: first.body })
  expect(await send(there.customerId)).toMatchObject({ status: 409, body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } })
})

it('a client sees their own uploads and nothing else', async () => {
  const office = files.office()
  const [one, other] = [await linkedTo(office), await linkedTo(office)]
  const ids = [await upload(files.asExpert(office.expert), 'of the office'), await upload(one.http, 'of one')]
  expect((await other.http.get('/common_file')).body).toEqual([])
  for (const id of ids) {
    for (const path of [`/common_file/${id}`, `/common_file/${id}?meta=1`]) expect((await other.http.get(path)).status).toBe(404)
    expect((await other.http.delete(`/common_file/${id}`)).status).toBe(404)
  }
  expect((await one.http.delete(`/common_file/${ids[1]}`)).body).toEqual({ status: 'OK' })
  expect((await files.asExpert(office.expert).get(`/common_file/${ids[1]}`)).status).toBe(404)
})

it('a client whose link has ended reads their files and sends none; a banned one sees nothing', async () => {
  const office = files.office()
  const { http, change } = await linkedTo(office)
  const id = await upload(http, 'mine')
  await scanned(http, id)
  await change({ state: LinkState.ENDED })
  const ended = { status: 403, body: { errorCode: 'LINK_ENDED' } }
  expect((await http.get(`/common_file/${id}`)).status).toBe(200)
  expect(await http.delete(`/common_file/${id}`)).toMatchObject(ended)
  expect(await http.post(`/common_file?customer_id=${office.customerId}`, formOf('x'))).toMatchObject(ended)
  await change({ state: LinkState.ACTIVE, banned: true })
  for (const path of [`/common_file/${id}`, `/common_file/${id}?meta=1`]) expect((await http.get(path)).status).toBe(404)
  expect((await http.get('/common_file')).body).toEqual([])
  expect(await blobs(office.customerId)).toBe(1)
})

async function blobs(customerId: bigint): Promise<number> {
  return (await files.database.rows('SELECT FROM common_files WHERE customer_id = $1', [customerId])).length
}
