import { Folder, type FolderCountEvent } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import { type HttpClient, type TestTenant, testTechnical } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const counter = async (http: HttpClient, query = '') => (await http.get<{ Counter: object }>(`/counter${query}`)).body.Counter

const none = { my: 0, unassigned: 0, unaccepted: 0, delegated: 0 }
const noMail = { clients: 0, others: 0, drafts: 0, offices: 0, providers: 0, leads: 0, customFolders: {} }

const clients = ({ administrator, expert, specialist, trainee }: TestTenant) => ({
  asAdmin: cases.asExpert(administrator),
  asAnna: cases.asExpert(expert),
  asBen: cases.asExpert(specialist),
  asClara: cases.asExpert(trainee),
})

describe('GET /rest/counter', () => {
  it('begins with zeros', async () => {
    expect(await counter(cases.asExpert(cases.office().expert))).toEqual({ Issue: none, MailReceivedMysqlMessage: noMail })
  })

  it('follows a case through its states', async () => {
    const office = cases.office()
    const { asAnna, asBen, asClara } = clients(office)
    const [anna, ben, clara] = [office.expert, office.specialist, office.trainee].map(({ userId }) => String(userId))
    const all = async () => [
      await counter(asAnna, '?object=Issue'),
      await counter(asBen, '?object=Issue'),
      await counter(asClara, '?object=Issue'),
    ]
    const put = (http: HttpClient, fields: object) => http.put(`/issue/${id}`, { Issue: fields })
    const numbers = (changes: Partial<typeof none>) => ({ Issue: { ...none, ...changes } })

    const id = await openIssue(asAnna)
    expect(await all()).toEqual([numbers({ unassigned: 1 }), numbers({ unassigned: 1 }), numbers({ unassigned: 1 })])
    await put(asAnna, { user_id: ben })
    expect(await all()).toEqual([numbers({}), numbers({ my: 1, unaccepted: 1 }), numbers({})])
    await put(asBen, { status: 'open' })
    expect(await all()).toEqual([numbers({}), numbers({ my: 1 }), numbers({})])
    await put(asAnna, { delegated_user_id: clara })
    expect(await all()).toEqual([numbers({ delegated: 1 }), numbers({ my: 1 }), numbers({ delegated: 1 })])
    await put(asBen, { status: 'pending' })
    expect(await all()).toEqual([numbers({}), numbers({}), numbers({})])
    await put(asBen, { status: 'open' })
    await put(asAnna, { user_id: anna })
    expect(await all()).toEqual([numbers({ my: 1, delegated: 1 }), numbers({}), numbers({ delegated: 1 })])
    await asAnna.delete(`/issue/${id}`)
    expect(await all()).toEqual([numbers({}), numbers({}), numbers({})])
  })

  it('counts for a group: sums, the list per user, each delegated case once', async () => {
    const office = cases.office()
    const { asAdmin, asAnna, asBen } = clients(office)
    const [anna, ben, clara] = [office.expert, office.specialist, office.trainee].map(({ userId }) => String(userId)) as [
      string,
      string,
      string,
    ]
    for (let i = 0; i < 2; i++) await openIssue(asAnna, { user_id: anna })
    const delegated = await openIssue(asBen, { user_id: ben })
    await asBen.put(`/issue/${delegated}`, { Issue: { delegated_user_id: anna } })
    await openIssue(asAnna, { user_id: ben })
    await openIssue(asAnna)

    const group = `groupIds=${anna},${ben}`
    expect(await counter(asAdmin, `?object=Issue&${group}`)).toEqual({ Issue: { my: 4, unassigned: 1, unaccepted: 1, delegated: 1 } })
    expect(await counter(asAdmin, `?type=my&groupIds=${ben}`)).toEqual({ Issue: { my: 2 } })
    expect(await counter(asAdmin, `?type=delegated&groupIds=${ben}`)).toEqual({ Issue: { delegated: 1 } })
    expect(await counter(asAdmin, `?type=delegated&groupIds=${clara}`)).toEqual({ Issue: { delegated: 0 } })
    expect(await counter(asAdmin, '?type=myPerUser')).toEqual({ Issue: { myPerUser: { [anna]: 2, [ben]: 2 } } })
    expect(await counter(asAdmin, `?type=myPerUser&groupIds=${anna},${clara}`)).toEqual({ Issue: { myPerUser: { [anna]: 2 } } })
    expect(await counter(asAdmin, '?type=my')).toEqual({ Issue: { my: 0 } })
  })

  it('counts nothing of another office, even if its people are named', async () => {
    const other = cases.office()
    await openIssue(cases.asExpert(other.expert), { user_id: String(other.expert.userId) })
    const http = cases.asExpert(cases.office().expert)
    expect(await counter(http, `?object=Issue&groupIds=${other.expert.userId}`)).toEqual({ Issue: none })
    expect(await counter(http, '?type=myPerUser')).toEqual({ Issue: { myPerUser: {} } })
  })

  it('returns the requested part', async () => {
    const http = cases.asExpert(cases.office().expert)
    expect(await counter(http, '?object=Issue')).toEqual({ Issue: none })
    expect(await counter(http, '?object=MailReceivedMysqlMessage')).toEqual({ MailReceivedMysqlMessage: noMail })
    expect(await counter(http, '?type=providers')).toEqual({ MailReceivedMysqlMessage: { providers: 0 } })
    expect(await counter(http, '?type=customFolders')).toEqual({ MailReceivedMysqlMessage: { customFolders: {} } })
    expect(await counter(http, '?object=Issue&type=unaccepted')).toEqual({ Issue: { unaccepted: 0 } })
  })

  it.each([
    ['object=Offer', 'object'],
    ['object=issue', 'object'],
    ['type=all', 'type'],
    ['object=Issue&type=clients', 'type'],
    ['object=MailReceivedMysqlMessage&type=my', 'type'],
    ['type=my&type=delegated', 'type'],
    ['groupIds=', 'groupIds'],
    ['groupIds=1,x', 'groupIds'],
    ['groupIds=1,-2', 'groupIds'],
    [`groupIds=${Array.from({ length: 501 }, (_, i) => i + 1)}`, 'groupIds'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await cases.asExpert(cases.office().expert).get(`/counter?${query}`)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [field]: expect.any(String) } }])
  })

  it('names everything that is wrong at once', async () => {
    const { status, body } = await cases.asExpert(cases.office().expert).get('/counter?object=Offer&type=all&groupIds=x&group=1')
    const text = expect.any(String)
    const errorMessages = { object: text, type: text, groupIds: 'must be ids separated by commas', group: 'is unknown' }
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
  })

  it('accepts five hundred ids', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => i + 1)
    expect((await cases.asExpert(cases.office().expert).get(`/counter?groupIds=${ids}`)).status).toBe(200)
  })

  it('is for employees only', async () => {
    const office = cases.office()
    expect((await cases.asExpert(office.trainee).as(undefined).get('/counter')).status).toBe(401)
    expect((await cases.asExpert(testTechnical(cases.issuer)).get('/counter')).status).toBe(403)
    expect((await cases.asClient(cases.client(office)).get('/counter')).status).toBe(404)
  })
})

describe('unread mail', () => {
  const count = (office: TestTenant, fields: Partial<FolderCountEvent>): FolderCountEvent => ({
    customerId: office.customerId,
    userId: 0n,
    folder: Folder.CLIENTS,
    folderId: 0n,
    count: 0,
    revision: 1n,
    removed: false,
    ...fields,
  })
  const publish = (...events: FolderCountEvent[]) => cases.publish(folderCountTopic, ...events)
  const folders = ['clients', 'offices', 'providers', 'leads'].map((name) => `crm_folders.${name}`)
  const personal = 'personal_mailbox'
  const allow = ({ userId }: { userId: bigint }, ...names: string[]) =>
    cases.auth.rights.set(
      userId,
      names.map((name) => `mailbox.${name}`),
    )

  it('is counted in the folders of the caller and of the office', async () => {
    const office = cases.office()
    const { userId } = office.expert
    allow(office.expert, ...folders, personal)
    await publish(
      count(office, { folder: Folder.CLIENTS, count: 4 }),
      count(office, { folder: Folder.OFFICES, count: 5 }),
      count(office, { folder: Folder.PROVIDERS, count: 6 }),
      count(office, { folder: Folder.LEADS, count: 7 }),
      count(office, { folder: Folder.OTHERS, userId, count: 2 }),
      count(office, { folder: Folder.DRAFTS, userId, count: 3 }),
      count(office, { folder: Folder.CUSTOM, userId, folderId: 11n, count: 8 }),
      count(office, { folder: Folder.CUSTOM, userId, folderId: 12n, count: 0 }),
      count(office, { folder: Folder.DRAFTS, userId: office.trainee.userId, count: 9 }),
      count(office, { folder: Folder.UNSPECIFIED, count: 10 }),
      count(cases.office(), { folder: Folder.CLIENTS, count: 99 }),
    )
    const mail = { clients: 4, others: 2, drafts: 3, offices: 5, providers: 6, leads: 7, customFolders: { 11: 8, 12: 0 } }
    expect(await counter(cases.asExpert(office.expert))).toEqual({ Issue: none, MailReceivedMysqlMessage: mail })
    expect(await counter(cases.asExpert(office.trainee), '?type=drafts')).toEqual({ MailReceivedMysqlMessage: { drafts: 9 } })
  })

  it('is 0 in folders that the caller may not read', async () => {
    const office = cases.office()
    allow(office.specialist, 'crm_folders.leads')
    await publish(...[Folder.CLIENTS, Folder.OFFICES, Folder.PROVIDERS, Folder.LEADS].map((folder) => count(office, { folder, count: 4 })))
    const [specialist, trainee] = [cases.asExpert(office.specialist), cases.asExpert(office.trainee)]
    expect(await counter(specialist)).toEqual({ Issue: none, MailReceivedMysqlMessage: { ...noMail, leads: 4 } })
    expect(await counter(trainee)).toEqual({ Issue: none, MailReceivedMysqlMessage: noMail })
  })

  it('is 0 in the personal mailbox and in custom folders without the right to them', async () => {
    const office = cases.office()
    const { userId } = office.expert
    const custom = { folder: Folder.CUSTOM, count: 5 }
    allow(office.expert, ...folders)
    await publish(
      count(office, { folder: Folder.OTHERS, userId, count: 4 }),
      count(office, { folder: Folder.DRAFTS, userId, count: 3 }),
      count(office, { ...custom, userId, folderId: 11n }),
      count(office, { ...custom, folderId: 12n }),
    )
    const mail = { ...noMail, drafts: 3, customFolders: { 11: 0, 12: 0 } }
    expect(await counter(cases.asExpert(office.expert), '?object=MailReceivedMysqlMessage')).toEqual({ MailReceivedMysqlMessage: mail })
  })

  it('is not shown for a deleted folder, even if an older count arrives later', async () => {
    const office = cases.office()
    const folder = { folder: Folder.CUSTOM, folderId: 11n }
    const shown = () => counter(cases.asExpert(office.expert), '?type=customFolders')
    allow(office.expert, personal)
    await publish(count(office, { ...folder, count: 3, revision: 1n }))
    expect(await shown()).toEqual({ MailReceivedMysqlMessage: { customFolders: { 11: 3 } } })
    await publish(count(office, { ...folder, revision: 3n, removed: true }), count(office, { ...folder, count: 3, revision: 2n }))
    expect(await shown()).toEqual({ MailReceivedMysqlMessage: { customFolders: {} } })
  })

  it('is the count of the highest revision, in whatever order and however often events are delivered', async () => {
    const office = cases.office()
    const events = [1n, 2n, 3n, 4n].map((revision) => count(office, { revision, count: Number(revision) * 10 }))
    const [first, second, third, fourth] = events as [FolderCountEvent, FolderCountEvent, FolderCountEvent, FolderCountEvent]
    allow(office.expert, 'crm_folders.clients')
    await publish(second, fourth, first, fourth, third, second, first)
    expect(await counter(cases.asExpert(office.expert), '?type=clients')).toEqual({ MailReceivedMysqlMessage: { clients: 40 } })
  })
})
