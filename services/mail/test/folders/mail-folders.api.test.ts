import { folderCountTopic, messageTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mailFolders } from '../support/mail-folders.js'
import { countsOf, newMailbox, officeWithMail, storeOne } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
beforeEach(() => {
  here = officeWithMail(service)
})

const { expert, create, list, names } = mailFolders(service, () => here)

const system = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS', 'DRAFTS', 'SENT', 'TRASH']
const parent = { parent_id: 'must be a custom folder of the same owner, and not within the folder' }

describe('GET /rest/mail_folder', () => {
  it('lists the eight system folders first, created once however many requests come at once', async () => {
    const lists = await Promise.all([1, 2, 3, 4].map(() => names()))
    expect(lists).toEqual([system, system, system, system])
    expect(await service.database.rows('SELECT id FROM mail_folders WHERE customer_id = $1', [here.customerId])).toHaveLength(8)
  })

  it('shows the custom folders of the caller and those of the office', async () => {
    await create({ name: 'Mine' })
    await create({ name: 'Ours', is_global: '1' })
    expect(await names()).toEqual([...system, 'Mine', 'Ours'])
    expect(await names('', service.asExpert(here.trainee))).toEqual([...system, 'Ours'])
    const there = officeWithMail(service)
    expect(await names('', service.asExpert(there.expert))).toEqual(system)
  })

  it('is in the order that the caller has set; of the other folders system folders come first', async () => {
    const [a, b] = [await create({ name: 'a' }), await create({ name: 'b' })]
    const [first] = await list()
    await expert().post('/mail_folder_setting', { MailFolderSetting: { order: JSON.stringify([b, Number(first?.id)]) } })
    expect(await names()).toEqual(['b', 'CLIENTS', ...system.slice(1), 'a'])
    expect(await names('?sort=-id')).toEqual([...system.toReversed(), 'b', 'a'])
    expect(await names(`?parent_id=${a}`)).toEqual([])
  })
})

describe('POST /rest/mail_folder', () => {
  it('names every wrong field', async () => {
    const { status, body } = await expert().post('/mail_folder', { MailFolder: { name: '', parent_id: 'x', is_global: 'yes' } })
    const text = expect.any(String)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { name: text, parent_id: text, is_global: text } }])
    const nowhere = await expert().post('/mail_folder', { MailFolder: { name: '', parent_id: 999_999_999 } })
    expect(nowhere.body).toEqual({ status: 'error', errorMessages: { name: text, ...parent } })
  })

  it('refuses a parent that is a system folder, somebody else’s, of another owner, or missing', async () => {
    const [clients] = await list()
    const colleague = await create({}, service.asExpert(here.specialist))
    const global = await create({ is_global: '1' })
    const there = officeWithMail(service)
    const foreign = await create({ is_global: '1' }, service.asExpert(there.expert))
    for (const parent_id of [clients?.id, colleague, global, foreign, 999_999_999]) {
      const { status, body } = await expert().post('/mail_folder', { MailFolder: { name: 'x', parent_id } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: parent }])
    }
  })

  it('nests ten folders and not eleven', async () => {
    let parent_id: number | null = null
    for (let depth = 1; depth <= 10; depth++) parent_id = await create({ parent_id })
    const { status, body } = await expert().post('/mail_folder', { MailFolder: { name: 'x', parent_id } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { parent_id: 'must not be within more than 9 folders' } }])
  })
})

describe('PUT /rest/mail_folder/{id}', () => {
  const put = (id: number | string | undefined, fields: object, http = expert()) => http.put(`/mail_folder/${id}`, { MailFolder: fields })

  it('renames and moves, but not into itself or what is below it', async () => {
    const [a, b] = [await create({ name: 'a' }), await create({ name: 'b' })]
    const below = await create({ parent_id: a })
    expect((await put(b, { name: 'c', parent_id: below, is_global: '1' })).body).toEqual({ status: 'OK' })
    expect((await list()).find(({ id }) => id === String(b))).toMatchObject({ name: 'c', parent_id: String(below), is_global: '0' })
    for (const parent_id of [a, below, b]) expect((await put(a, { parent_id })).body).toMatchObject({ errorMessages: parent })
    expect((await put(b, { parent_id: null })).status).toBe(200)
  })

  it('makes no cycle of two moves at once', async () => {
    for (let i = 0; i < 5; i++) {
      const [a, b] = [await create({}), await create({})]
      const answers = await Promise.all([put(a, { parent_id: b }), put(b, { parent_id: a })])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  it('counts the levels below a folder that moves', async () => {
    const chain = [await create({})]
    for (let depth = 2; depth <= 9; depth++) chain.push(await create({ parent_id: chain.at(-1) }))
    const top = await create({})
    const inner = await create({ parent_id: top })
    expect((await put(chain[0], { parent_id: inner })).status).toBe(400)
    expect((await put(chain[0], { parent_id: top })).status).toBe(200)
  })

  it('is 409 for a system folder, 404 for a folder of somebody else, and 412 for another version', async () => {
    const [clients] = await list()
    expect(await put(clients?.id, { name: 'x' })).toMatchObject({ status: 409, body: { errorCode: 'MAIL_FOLDER_SYSTEM' } })
    const id = await create({})
    expect((await put(id, { name: 'x' }, service.asExpert(here.specialist))).status).toBe(404)
    expect((await put(id, { name: 'x' }, service.asExpert(officeWithMail(service).expert))).status).toBe(404)
    expect((await expert().put(`/mail_folder/${id}`, { MailFolder: { name: 'x' } }, { 'if-match': '"2"' })).status).toBe(412)
  })
})

describe('the count of a custom folder', () => {
  const published = async (id: number) =>
    (await service.published(folderCountTopic))
      .map(({ event }) => event)
      .filter(({ folderId }) => folderId === BigInt(id))
      .map(({ userId, count, removed }) => ({ userId, count, removed }))

  it('is published as 0 with its owner when the folder is created, and as removed when it is deleted', async () => {
    const [own, ofOffice] = [await create({}), await create({ is_global: '1' })]
    expect(await published(own)).toEqual([{ userId: here.expert.userId, count: 0, removed: false }])
    expect(await published(ofOffice)).toEqual([{ userId: 0n, count: 0, removed: false }])
    await expert().delete(`/mail_folder/${ofOffice}`)
    expect((await published(ofOffice)).slice(1)).toEqual([{ userId: 0n, count: 0, removed: true }])
  })
})

describe('DELETE /rest/mail_folder/{id}', () => {
  it('moves its messages to OTHERS of their owners, and the counts with them', async () => {
    const id = await create({ is_global: '1' })
    const folder = { system: null, custom: BigInt(id) }
    const [mine, theirs] = [await newMailbox(engine, here, here.expert.userId), await newMailbox(engine, here, here.trainee.userId)]
    const message = await storeOne(engine, mine, folder)
    await storeOne(engine, mine, folder, { seen: true })
    await storeOne(engine, theirs, folder)
    expect((await countsOf(service, here.customerId)).kept).toEqual({ [`0 CUSTOM ${id}`]: 2 })
    expect((await expert().delete(`/mail_folder/${id}`)).body).toEqual({ status: 'OK' })
    const { kept, counted } = await countsOf(service, here.customerId)
    expect(kept).toEqual({ [`${here.expert.userId} OTHERS 0`]: 1, [`${here.trainee.userId} OTHERS 0`]: 1 })
    expect(counted).toEqual(kept)
    const trace = await expert().get(`/mail_received_mysql_message/${message}/trace`)
    expect(trace.body).toMatchObject({ MailTrace: [{}, { kind: 'moved', reason: { by: 'folder-removed', folder: 'OTHERS' } }] })
    const published = (await service.published(messageTopic))
      .slice(-2)
      .map(({ event: { userId, receivedIds } }) => [userId, receivedIds.length])
    expect(new Map(published as [bigint, number][])).toEqual(
      new Map([
        [here.expert.userId, 2],
        [here.trainee.userId, 1],
      ]),
    )
  })

  it('is 409 for a system folder and while there are folders in it', async () => {
    const [clients] = await list()
    expect((await expert().delete(`/mail_folder/${clients?.id}`)).body).toMatchObject({ errorCode: 'MAIL_FOLDER_SYSTEM' })
    const id = await create({})
    const child = await create({ parent_id: id })
    const { status, body } = await expert().delete(`/mail_folder/${id}`)
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'MAIL_FOLDER_HAS_CHILDREN' })])
    await expert().delete(`/mail_folder/${child}`)
    expect((await expert().delete(`/mail_folder/${id}`)).status).toBe(200)
  })
})

describe('who may', () => {
  const routes = [
    ['GET', '/mail_folder'],
    ['POST', '/mail_folder'],
    ['GET', '/mail_folder_setting'],
    ['POST', '/mail_folder_setting'],
    ['GET', '/mail_folder_rule'],
    ['POST', '/mail_folder_rule'],
    ['GET', '/mail_received_mysql_message'],
    ['PUT', '/mail_received_mysql_message'],
  ] as const

  it.each(routes)('%s %s is 401 without a token and for a client, and 404 on their address', async (method, path) => {
    const client = service.client(here)
    expect((await service.http('expert').request(method, path)).status).toBe(401)
    expect((await service.http('expert', client.token).request(method, path)).status).toBe(401)
    expect((await service.asClient(client).request(method, path)).status).toBe(404)
  })
})
