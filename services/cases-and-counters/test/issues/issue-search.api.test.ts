import { linkTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Listed = { Issue: { id: string } }[]
const query = (q: string, others = '') => `/issue?${new URLSearchParams({ q })}${others}`
const search = async (http: HttpClient, q: string, others?: string) =>
  (await http.get<Listed>(query(q, others))).body.map(({ Issue }) => Number(Issue.id))

const say = async (http: HttpClient, issueId: number, body: string, status = 'sent') =>
  (await http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: issueId, body, status } })).body.id
const initiator = async (http: HttpClient, fields: Record<string, unknown>) =>
  (await http.post<{ id: number }>('/issue_initiator', { IssueInitiator: fields })).body.id

/** An office with an expert and a client. */
async function people() {
  const office = cases.office()
  const client = cases.client(office)
  await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === client.userId))
  return { office, client, expert: cases.asExpert(office.expert), asClient: cases.asClient(client) }
}

describe('GET /rest/issue?q= finds cases', () => {
  it('by subject, number, contact and sentences, ignoring case and accents', async () => {
    const { expert } = await people()
    const contact = await initiator(expert, { first_name: 'Łucja', last_name: 'Żółć', email: 'lucja@biuro.example', phone: '+48 600-700' })
    const id = await openIssue(expert, { subject: 'Faktura „korygująca”', issue_initiator_id: contact })
    await openIssue(expert, { subject: 'Umowa' })
    await say(expert, id, 'Proszę o <b>zwrot</b> 1e5 zł,\nna konto.')
    for (const q of ['FAKTURA', 'korygujaca', 'zółc', 'lucja biuro', '600-700', 'PROSZE', 'zwrot', '1e5', 'b zwrot']) {
      expect([q, await search(expert, q)]).toEqual([q, [id]])
    }
    expect(await search(expert, '1')).toContain(id)
  })

  it('by words that end in a sigma, in capitals or not', async () => {
    const { expert, client, asClient } = await people()
    const id = await openIssue(expert, { subject: 'ΦΆΚΕΛΟΣ: Γιώργος Σεφέρης', user_client_id: String(client.userId) })
    await openIssue(expert, { subject: 'Γιώργο' })
    for (const q of ['ΓΙΩΡΓΟΣ', 'φάκελος', 'φάκελοσ', 'γιώργος σεφέρης', 'ΣΕΦΕΡΗΣ ΓΙΩΡΓΟΣ φακελοσ', 'ΣΕΦ', 'ς']) {
      expect([q, await search(expert, q), await search(asClient, q)]).toEqual([q, [id], [id]])
    }
    expect(await search(expert, 'γιώργος φάκελς')).toEqual([])
  })

  it('that contain all words anywhere, the last one as a prefix', async () => {
    const { expert } = await people()
    const contact = await initiator(expert, { first_name: 'Jan', last_name: 'Nowak' })
    const id = await openIssue(expert, { subject: 'Podatek', issue_initiator_id: contact })
    await say(expert, id, 'Deklaracja')
    await say(expert, id, 'Korekta')
    for (const q of ['nowak deklaracja', 'korekta podatek', 'deklaracja kor', 'pod']) expect(await search(expert, q)).toEqual([id])
    for (const q of ['nowak umowa', 'dekl korekta', 'atek']) expect(await search(expert, q)).toEqual([])
  })

  it('newest first, in pages, with filters, in another order and counted', async () => {
    const { expert } = await people()
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push(await openIssue(expert, { subject: i === 2 ? 'Umowa' : `Faktura ${i}`, priority: i < 3 ? 3 : 2 }))
    const [a, b, , c, d] = ids
    expect(await search(expert, 'faktura')).toEqual([d, c, b, a])
    expect(await search(expert, 'faktura', '&priority=2')).toEqual([d, c])
    expect(await search(expert, 'faktura', '&sort=number')).toEqual([a, b, c, d])
    const first = await expert.get<Listed>(query('faktura', '&limit=3&count=1'))
    expect(first.headers.get('x-total-count')).toBe('4')
    const next = /\/rest(\/issue\?[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string
    const second = await expert.get<Listed>(next)
    expect([...first.body, ...second.body].map(({ Issue }) => Number(Issue.id))).toEqual([d, c, b, a])
    expect(second.headers.get('link')).toBeNull()
    await expert.put(`/issue/${a}`, { Issue: { priority: 4 } })
    expect(await search(expert, 'faktura', '&sort=-modified&limit=1')).toEqual([a])
  })

  it('by their present text, after changes of subject and contact, and deletions of sentences and cases', async () => {
    const { expert } = await people()
    const [jan, ewa] = [
      await initiator(expert, { first_name: 'Jan', last_name: 'Nowak' }),
      await initiator(expert, { first_name: 'Ewa', last_name: 'Wilk' }),
    ]
    const id = await openIssue(expert, { subject: 'Podatek', issue_initiator_id: jan })
    const sentence = await say(expert, id, 'Nowak pyta o zaliczkę')
    await say(expert, id, 'Deklaracja')
    await expert.put(`/issue/${id}`, { Issue: { subject: 'Czynsz', issue_initiator_id: ewa } })
    expect([await search(expert, 'podatek'), await search(expert, 'jan')]).toEqual([[], []])
    for (const q of ['czynsz', 'wilk', 'nowak', 'deklaracja']) expect(await search(expert, q)).toEqual([id])
    await expert.put(`/issue_initiator/${ewa}`, { IssueInitiator: { last_name: 'Lis' } })
    expect([await search(expert, 'wilk'), await search(expert, 'lis ewa nowak')]).toEqual([[], [id]])
    await expert.delete(`/issue_sentence/${sentence}`)
    expect([await search(expert, 'zaliczke'), await search(expert, 'czynsz lis deklaracja')]).toEqual([[], [id]])
    await expert.delete(`/issue/${id}`)
    expect(await search(expert, 'czynsz')).toEqual([])
    expect(await cases.database.rows('SELECT 1 FROM issue_documents WHERE issue_id = $1', [id])).toEqual([])
  })

  it('of the caller’s office only', async () => {
    const [here, there] = [await people(), await people()]
    const id = await openIssue(here.expert, { subject: 'Osobliwy' })
    expect([await search(here.expert, 'osobliwy'), await search(there.expert, 'osobliwy')]).toEqual([[id], []])
  })

  it.each(["'", '\\', '& | ! <-> :* ( )', 'a:b & c', '', '---', "x' OR 1=1", '½', 'a'.repeat(200)])('with any text: %j', async (q) => {
    const { expert, asClient } = await people()
    for (const http of [expert, asClient]) expect(await http.get(query(q, '&count=1'))).toMatchObject({ status: 200, body: [] })
  })

  it.each(['a'.repeat(201), 'a\0b'])('but not with %j', async (q) => {
    const { expert, asClient } = await people()
    for (const http of [expert, asClient]) {
      expect(await http.get(query(q))).toMatchObject({ status: 400, body: { errorMessages: { q: expect.any(String) } } })
    }
  })
})

describe('a client finds', () => {
  it('cases by what they see: subject, number and sent sentences', async () => {
    const { expert, asClient, client } = await people()
    const id = await openIssue(expert, { subject: 'Podatek', user_client_id: String(client.userId) })
    const draft = await say(expert, id, 'Zaliczka', 'draft')
    await asClient.post('/issue_sentence', { IssueSentence: { issue_id: id, body: 'Kiedy termin?' } })
    for (const q of ['podatek', '1', 'kiedy podatek', 'term']) expect(await search(asClient, q)).toEqual([id])
    expect([await search(asClient, 'zaliczka'), await search(expert, 'zaliczka')]).toEqual([[], []])
    await expert.put(`/issue_sentence/${draft}`, { IssueSentence: { status: 'sent' } })
    expect([await search(asClient, 'zaliczka'), await search(expert, 'zaliczka')]).toEqual([[id], [id]])
  })

  it('no case by its contact, an unsent reply or a comment, not even as a count', async () => {
    const { office, expert, asClient, client } = await people()
    const contact = await initiator(expert, { first_name: 'Jan', last_name: 'Tajny' })
    const fields = { subject: 'Podatek', user_client_id: String(client.userId), issue_initiator_id: contact }
    const id = await openIssue(expert, fields)
    const waiting = await say(cases.asExpert(office.trainee), id, 'Ukryte', 'to_review')
    const rejected = await say(cases.asExpert(office.trainee), id, 'Odrzucone', 'to_review')
    await expert.put(`/issue_sentence/${rejected}`, { IssueSentence: { status: 'rejected', reject_reason: 'Powód' } })
    await expert.post('/comment', { Comment: { issue_id: id, body: 'Wewnetrzne' } })
    expect(waiting).toEqual(expect.any(Number))
    for (const q of ['tajny', 'jan podatek', 'ukryte', 'odrzucone', 'powod', 'wewnetrzne']) {
      const { body, headers } = await asClient.get(query(q, '&count=1'))
      expect([q, body, headers.get('x-total-count')]).toEqual([q, [], '0'])
    }
    expect(await search(expert, 'tajny')).toEqual([id])
    // The word of the contact is found once a sentence contains it, too.
    await say(expert, id, 'Pan Tajny dzwonił')
    expect(await search(asClient, 'tajny')).toEqual([id])
  })

  it('their own cases of all offices, and no others', async () => {
    const [here, there] = [cases.office(), cases.office()]
    const client = cases.client(here, there)
    await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === client.userId))
    const own = { subject: 'Faktura', user_client_id: String(client.userId) }
    const first = await openIssue(cases.asExpert(here.expert), own)
    const second = await openIssue(cases.asExpert(there.expert), own)
    const other = await openIssue(cases.asExpert(here.expert), { subject: 'Faktura' })
    const asClient = cases.asClient(client)
    expect(await search(asClient, 'faktura')).toEqual([second, first])
    expect(await search(asClient, 'faktura', `&customer_id=${here.customerId}`)).toEqual([first])
    // A case that gets another client is found by that one.
    const heir = cases.client(here)
    await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === heir.userId))
    await cases.asExpert(here.expert).put(`/issue/${first}`, { Issue: { user_client_id: String(heir.userId) } })
    expect([await search(asClient, 'faktura'), await search(cases.asClient(heir), 'faktura')]).toEqual([[second], [first]])
    expect(await search(cases.asExpert(here.expert), 'faktura')).toEqual([other, first])
  })
})
