import { linkTopic, userTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Row = Record<string, Record<string, unknown> | Record<string, unknown>[] | null>

const all = 'embed=Client,User,Tag,last_sentence'
const board = async (http: HttpClient, query = all) => (await http.get<Row[]>(`/issue?${query}`)).body
const create = async (http: HttpClient, wrapper: string, path: string, fields: object) =>
  (await http.post<{ id: number }>(`/${path}`, { [wrapper]: fields })).body.id
const say = (http: HttpClient, issue_id: number, body: string, status = 'sent') =>
  create(http, 'IssueSentence', 'issue_sentence', { issue_id, body, status })

/** An office in a distant time zone, with an expert whose name is in the copy, and a client. */
async function people() {
  const office = await cases.officeIn('America/New_York')
  const client = cases.client(office)
  await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === client.userId))
  const { expert, customerId } = office
  await cases.publish(
    userTopic,
    user({ id: expert.userId, customerId, email: 'anna@office.example', firstname: 'Anna', lastname: 'Nowak', revision: 99n }),
  )
  return { office, client, expert: cases.asExpert(expert), asClient: cases.asClient(client), userId: String(expert.userId) }
}

describe('GET /rest/issue?embed=', () => {
  it('embeds client, owner, tags and last sentence in a case', async () => {
    const { expert, client, userId } = await people()
    const user_client_id = String(client.userId)
    const card = { first_name: 'Jan', last_name: 'Lis', email: 'jan@lis.example', user_client_id }
    await create(expert, 'IssueInitiator', 'issue_initiator', { ...card, last_name: 'Wilk' })
    await create(expert, 'IssueInitiator', 'issue_initiator', card)
    const id = await openIssue(expert, { user_client_id, user_id: userId })
    const tags = [await create(expert, 'Tag', 'tag', { name: 'Urgent "!"' }), await create(expert, 'Tag', 'tag', { name: 'Late' })]
    for (const tag_id of tags) await create(expert, 'IssueTag', 'issue_tag', { issue_id: id, tag_id })
    await say(expert, id, 'First')
    const last = await say(expert, id, 'A "draft",\nnot sent', 'draft')
    const [row] = await board(expert)
    const { body } = await expert.get<{ IssueSentence: Record<string, unknown> }>(`/issue_sentence/${last}`)
    const [urgent, late] = tags.map(String)
    const colors = { color_background: 'e0e0e0', color_text: '000000' }
    expect(row).toEqual({
      Issue: expect.objectContaining({ id: String(id), user_client_id }),
      Client: { id: user_client_id, first_name: 'Jan', last_name: 'Lis', email: 'jan@lis.example', phone: null, company_name: null },
      User: { id: userId, email: 'anna@office.example', firstname: 'Anna', lastname: 'Nowak' },
      Tag: [
        { issue_id: String(id), id: late, name: 'Late', ...colors },
        { issue_id: String(id), id: urgent, name: 'Urgent "!"', ...colors },
      ],
      last_sentence: {
        ...{ id: String(last), issue_id: String(id), speaker: 'expert', speaker_id: userId, body: 'A "draft",\nnot sent', status: 'draft' },
        created: body.IssueSentence.created,
      },
    })
  })

  it('embeds null, or an empty list, where there is none, and only what is requested', async () => {
    const { expert } = await people()
    await openIssue(expert)
    expect(await board(expert)).toEqual([{ Issue: expect.anything(), Client: null, User: null, Tag: [], last_sentence: null }])
    expect(Object.keys((await board(expert, 'embed=Tag&limit=1'))[0] ?? {})).toEqual(['Issue', 'Tag'])
    expect(Object.keys((await board(expert, 'limit=1'))[0] ?? {})).toEqual(['Issue'])
  })

  it('can be combined with filters, pages and a search', async () => {
    const { expert } = await people()
    const ids: number[] = []
    for (const subject of ['Invoice A', 'Invoice B', 'Contract', 'Invoice C']) ids.push(await openIssue(expert, { subject }))
    for (const id of ids) await say(expert, id, `About ${id}`)
    const lastBodies = (rows: Row[]) => rows.map(({ last_sentence }) => (last_sentence as { body: string }).body)
    expect(lastBodies(await board(expert))).toEqual(ids.map((id) => `About ${id}`))
    const first = await expert.get<Row[]>(`/issue?${all}&q=invoice&limit=2`)
    expect(lastBodies(first.body)).toEqual([`About ${ids[3]}`, `About ${ids[1]}`])
    const next = /\/rest(\/issue\?[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string
    expect(lastBodies((await expert.get<Row[]>(next)).body)).toEqual([`About ${ids[0]}`])
  })

  it('shows nothing of another office', async () => {
    const [here, there] = [await people(), await people()]
    await cases.publish(linkTopic, ...cases.auth.links)
    await create(there.expert, 'IssueInitiator', 'issue_initiator', { first_name: 'X', last_name: 'Y' })
    await openIssue(here.expert, { user_client_id: String(here.client.userId) })
    expect(await board(here.expert)).toMatchObject([{ Client: null }])
    expect(await board(there.expert)).toEqual([])
  })

  it.each(['', 'Nobody', 'Client,', 'client', 'Client,constructor'])('is 400 with %j', async (embed) => {
    const { expert } = await people()
    expect(await expert.get(`/issue?embed=${embed}`)).toMatchObject({
      ...{ status: 400, body: { errorMessages: { embed: 'must be some of Client, User, Tag, last_sentence' } } },
    })
  })
})

it('a client gets the last sentence that they may see, and no other embedded object', async () => {
  const { office, expert, asClient, client } = await people()
  const id = await openIssue(expert, { user_client_id: String(client.userId) })
  expect(await board(asClient, 'embed=last_sentence')).toMatchObject([{ last_sentence: null }])
  const sent = await say(expert, id, 'Sent')
  await say(expert, id, 'Draft', 'draft')
  await say(cases.asExpert(office.trainee), id, 'Waiting', 'to_review')
  const [row] = await board(asClient, 'embed=last_sentence')
  expect(row?.last_sentence).toEqual({
    ...{
      id: String(sent),
      issue_id: String(id),
      speaker: 'expert',
      speaker_id: expect.any(String),
      body: 'Sent',
      created: expect.any(String),
    },
  })
  for (const embed of ['Client', 'User', 'Tag']) expect((await asClient.get(`/issue?embed=${embed}`)).status).toBe(400)
})

it('a reply is the last sentence once it is sent, however long its review took', async () => {
  const { office, expert, asClient, client } = await people()
  const id = await openIssue(expert, { user_client_id: String(client.userId) })
  const reply = await say(cases.asExpert(office.trainee), id, 'Reply', 'to_review')
  await say(asClient, id, 'Are you there?')
  const last = async (http: HttpClient) => (await board(http, 'embed=last_sentence'))[0]?.last_sentence
  for (const http of [expert, asClient]) expect(await last(http)).toMatchObject({ body: 'Are you there?' })
  await expert.put(`/issue_sentence/${reply}`, { IssueSentence: { status: 'sent' } })
  for (const http of [expert, asClient]) expect(await last(http)).toMatchObject({ body: 'Reply' })
})
