import { MessagesChangedEvent } from '@caseway/protos/mail/v1/events'
import { fileTopic, issueTopic, messageTopic, removedObjectTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId } from '@caseway/testing'
import { object } from '@caseway/testing/fake-objects'
import { holdTransaction, meetAt, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { attach, type Files, link, scanned, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

interface Attached {
  CommonFile: { id: string; name: string }
  CommonFileObject: Record<string, string>
}

const attached = async (http: HttpClient, query = '') => (await http.get<Attached[]>(`/common_file/common_file_object${query}`)).body

/** Creates an office with a file and an object. */
async function withObject(fields: Partial<Parameters<typeof object>[0]> = {}) {
  const { customerId, expert, trainee } = files.office()
  const found = object({ customerId, ...fields })
  files.owner.objects.push(found)
  const http = files.asExpert(expert)
  const file = await upload(http, 'a letter')
  await scanned(http, file)
  return { customerId, http, trainee: files.asExpert(trainee), object: found, file }
}

const eventsOf = async (file: number) =>
  (await files.published(fileTopic)).map(({ event }) => event).filter(({ id }) => id === BigInt(file))
const linksOf = async (file: number) => (await eventsOf(file)).map(({ links }) => links.map(({ objectId }) => objectId))
const unknown = { status: 400, body: { errorMessages: { object_id: 'does not exist' } } }

describe('a file is attached', () => {
  it('by any employee, and is listed with its object', async () => {
    const { customerId, trainee, object, file } = await withObject()
    const created = await link(trainee, file, 'Comment', object.id)
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number) }])
    const CommonFileObject = {
      ...{ id: String(created.body.id), customer_id: String(customerId), common_file_id: String(file) },
      ...{ object_name: 'Comment', object_id: String(object.id) },
    }
    const CommonFile = expect.objectContaining({ id: String(file), name: 'letter.txt', size: '8' })
    expect(await attached(trainee)).toEqual([{ CommonFile, CommonFileObject }])
    const path = created.headers.get('location')?.split('/rest')[1] ?? ''
    expect(await trainee.get(path)).toMatchObject({ status: 200, body: { CommonFileObject } })
    expect((await trainee.delete(path, { 'if-match': '"9"' })).status).toBe(412)
    expect((await files.asExpert(files.office().expert).get(path)).status).toBe(404)
    expect((await trainee.delete(path, { 'if-match': (await trainee.get(path)).headers.get('etag') ?? '' })).status).toBe(200)
    expect((await trainee.get(path)).status).toBe(404)
  })

  it('to several objects, with one list entry for each; the list can be filtered by object', async () => {
    const { customerId, http, object: first, file } = await withObject()
    const second = object({ customerId })
    files.owner.objects.push(second)
    await attach(http, file, 'IssueSentence', first.id)
    await attach(http, file, 'Issue', second.id)
    await attach(http, await upload(http, 'another'), 'Issue', second.id)
    const found = async (query: string) => (await attached(http, query)).map(({ CommonFileObject: { object_id } }) => object_id)
    expect(await found('')).toEqual([first.id, second.id, second.id].map(String))
    expect(await found('?object_name=IssueSentence')).toEqual([String(first.id)])
    expect(await found(`?object_name=Issue&object_id=${second.id}`)).toEqual([second.id, second.id].map(String))
    expect(await found(`?object_name=Comment&object_id=${second.id}`)).toEqual([])
  })

  it('to an object of another service, and is detached when the object is deleted', async () => {
    const { customerId, http, object, file } = await withObject()
    for (const name of ['MailSentMysqlMessage', 'MailReceivedMysqlMessage', 'CompanyCard']) await attach(http, file, name, object.id)
    const names = async () => (await attached(http)).map(({ CommonFileObject: { object_name } }) => object_name)
    const publishMessages = (ids: Partial<MessagesChangedEvent>) =>
      files.publish(messageTopic, MessagesChangedEvent.fromPartial({ customerId, ...ids }))
    await publishMessages({ sentIds: [object.id], receivedIds: [object.id] })
    expect(await names()).toEqual(['MailSentMysqlMessage', 'MailReceivedMysqlMessage', 'CompanyCard'])
    // After all refreshes have run, only events can detach the file.
    const refreshes = "SELECT FROM kit.job WHERE name = 'link-refresh' AND state <> 'done' AND payload ->> 'customerId' = $1"
    await eventually(async () => expect(await files.database.rows(refreshes, [String(customerId)])).toEqual([]))
    files.owner.objects.splice(files.owner.objects.indexOf(object), 1)
    await publishMessages({ sentIds: [object.id] })
    await eventually(async () => expect(await names()).toEqual(['MailReceivedMysqlMessage', 'CompanyCard']))
    await publishMessages({ receivedIds: [object.id] })
    await eventually(async () => expect(await names()).toEqual(['CompanyCard']))
  })

  it('once, even by repeated and concurrent requests', async () => {
    const { http, object, file } = await withObject()
    const lock = { sql: 'SELECT FROM common_files WHERE id = $1 FOR UPDATE', values: [file] }
    const sent = await meetAt(
      files.database,
      lock,
      Array.from({ length: 50 }, () => () => link(http, file, 'Comment', object.id)),
    )
    expect(new Set(sent.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(sent[0]?.status).toBe(201)
    expect(await attached(http)).toHaveLength(1)
    expect(await linksOf(file)).toContainEqual([object.id])
    expect((await eventsOf(file)).filter(({ links }) => links.length > 0 && links.length !== 1)).toEqual([])
  })

  it('and each change of its links is published with all of its links', async () => {
    const { customerId, http, object: first, file } = await withObject()
    const second = object({ customerId })
    files.owner.objects.push(second)
    const id = await attach(http, file, 'Comment', first.id)
    await attach(http, file, 'Comment', second.id)
    await http.delete(`/common_file_object/${id}`)
    expect((await linksOf(file)).slice(2)).toEqual([[first.id], [first.id, second.id], [second.id]])
    expect((await eventsOf(file)).map(({ revision }) => revision)).toEqual([1n, 2n, 3n, 4n, 5n])
  })
})

describe('no file is attached', () => {
  it("to another office's object, with the answer for an object that does not exist", async () => {
    const { http, file } = await withObject()
    const { object: foreign } = await withObject()
    for (const id of [foreign.id, randomId()]) expect(await link(http, file, 'Comment', id)).toMatchObject(unknown)
  })

  it('to an object of an unknown kind', async () => {
    const { http, object, file } = await withObject()
    expect(await link(http, file, 'toString', object.id)).toMatchObject({
      status: 400,
      body: { errorMessages: { object_name: expect.stringContaining('must be one of') } },
    })
  })

  it('that belongs to another office, or does not exist', async () => {
    const { http, object } = await withObject()
    const { file: foreign } = await withObject()
    const missing = { status: 400, body: { errorMessages: { common_file_id: 'does not exist' } } }
    for (const id of [foreign, Number(randomId())]) expect(await link(http, id, 'Comment', object.id)).toMatchObject(missing)
    const both = await link(http, foreign, 'Comment', randomId())
    expect(both.body).toMatchObject({ errorMessages: { common_file_id: 'does not exist', object_id: 'does not exist' } })
    const unreadable = await http.post('/common_file_object', {
      CommonFileObject: { common_file_id: 'x', object_name: 'Comment', object_id: String(randomId()) },
    })
    expect(unreadable.body).toEqual({ status: 'error', errorMessages: { common_file_id: expect.any(String), object_id: 'does not exist' } })
  })

  it("where the object's owner refuses", async () => {
    const { http, object, file } = await withObject({ locked: true })
    expect(await link(http, file, 'Comment', object.id)).toMatchObject({ status: 403, body: { errorCode: 'FORBIDDEN' } })
    expect(await attached(http)).toEqual([])
  })

  it('without a token, or with an incomplete body', async () => {
    const path = `${files.service.httpUrl}/expert/rest/common_file_object`
    expect((await fetch(path, { method: 'POST' })).status).toBe(401)
    expect((await fetch(`${path}/1`, { method: 'DELETE' })).status).toBe(401)
    const { http } = await withObject()
    const required = { common_file_id: 'is required', object_name: 'is required', object_id: 'is required' }
    expect((await http.post('/common_file_object', { CommonFileObject: {} })).body).toMatchObject({ errorMessages: required })
  })

  it('that is removed meanwhile', async () => {
    const { http, object, file } = await withObject()
    const held = await holdTransaction(files.database, 'DELETE FROM common_files WHERE id = $1', [file])
    const sent = link(http, file, 'Comment', object.id)
    await untilWaiting(files.database, 1)
    await held.commit()
    expect(await sent).toMatchObject({ status: 400, body: { errorMessages: { common_file_id: 'does not exist' } } })
    expect(await attached(http)).toEqual([])
  })
})

describe('a link is deleted', () => {
  it('on request of its own office only', async () => {
    const { http, object, file } = await withObject()
    const id = await attach(http, file, 'Comment', object.id)
    const { http: other } = await withObject()
    expect((await other.delete(`/common_file_object/${id}`)).status).toBe(404)
    expect((await http.delete(`/common_file_object/${id}`)).body).toEqual({ status: 'OK' })
    expect((await http.delete(`/common_file_object/${id}`)).status).toBe(404)
    expect(await attached(http)).toEqual([])
  })

  it.each([
    ['the owner of its object refuses', 'Comment', { locked: true }, 403],
    ['the caller does not see its object', 'MailSentMysqlMessage', { hidden: true }, 404],
  ] as const)('not where %s, nor with its file', async (_, name, fields, status) => {
    const { http, object: first, file } = await withObject()
    const id = await attach(http, file, name, first.id)
    files.owner.objects.splice(files.owner.objects.indexOf(first), 1, object({ ...first, ...fields }))
    expect((await http.delete(`/common_file_object/${id}`)).status).toBe(status)
    expect((await http.delete(`/common_file/${file}`)).status).toBe(403)
    expect(await attached(http)).toHaveLength(1)
  })

  it('with its file', async () => {
    const { http, object, file } = await withObject()
    await attach(http, file, 'Comment', object.id)
    await http.delete(`/common_file/${file}`)
    expect(await attached(http)).toEqual([])
    expect((await eventsOf(file)).at(-1)).toMatchObject({ deleted: true, links: [] })
  })

  it('with its object, once, while other links stay', async () => {
    const { customerId, http, object: first, file } = await withObject()
    const second = object({ customerId })
    files.owner.objects.push(second)
    await attach(http, file, 'Comment', first.id)
    await attach(http, file, 'Comment', second.id)
    const gone = { customerId, objectName: 'Comment', objectIds: [first.id] }
    await files.publish(removedObjectTopic, gone, gone, { ...gone, objectName: 'Poll' }, { ...gone, customerId: randomId() })
    expect(await attached(http)).toMatchObject([{ CommonFileObject: { object_id: String(second.id) } }])
    expect((await linksOf(file)).slice(-2)).toEqual([[first.id, second.id], [second.id]])
  })

  it('with the case of its object', async () => {
    const issueId = randomId()
    const { customerId, http, object, file } = await withObject({ issueId })
    await attach(http, file, 'IssueSentence', object.id)
    files.owner.objects.splice(files.owner.objects.indexOf(object), 1)
    await files.publish(issueTopic, { issueId, customerId, revision: 2n, state: undefined, change: { $case: 'deleted', value: {} } })
    expect(await attached(http)).toEqual([])
  })

  it('when its object was deleted before the link was stored', async () => {
    const { http, object, file } = await withObject()
    const held = await holdTransaction(files.database, 'SELECT FROM common_files WHERE id = $1 FOR UPDATE', [file])
    const sent = link(http, file, 'Comment', object.id)
    await untilWaiting(files.database, 1)
    files.owner.objects.splice(files.owner.objects.indexOf(object), 1)
    await held.commit()
    expect((await sent).status).toBe(201)
    await eventually(async () => expect(await attached(http)).toEqual([]))
  })
})

it('while the owner does not answer, attaching is refused and stores nothing', async () => {
  const running = await startFiles({ variables: { CASES_AND_COUNTERS_GRPC_ADDRESS: '127.0.0.1:1' } })
  try {
    const http = running.asExpert(running.office().expert)
    const file = await upload(http, 'a letter')
    const unavailable = { status: 503, body: { status: 'error', errorCode: 'UNAVAILABLE' } }
    expect(await link(http, file, 'Comment', randomId())).toMatchObject(unavailable)
    expect(await attached(http)).toEqual([])
    expect((await http.get(`/common_file/${file}?meta=1`)).status).toBe(200)
  } finally {
    await running.stop()
  }
})
