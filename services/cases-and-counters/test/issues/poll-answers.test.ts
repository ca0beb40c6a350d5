import { randomUUID } from 'node:crypto'
import { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { answerTopic, issueTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { publishEvents } from '@caseway/testing/publish'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

let office: TestTenant
let customerId: bigint
let http: HttpClient
beforeEach(() => {
  office = cases.office()
  customerId = office.customerId
  http = cases.asExpert(office.expert)
})

const respondent = { email: 'ewa@example.test', firstname: 'Ewa', lastname: 'Nowak', phone: '+48 600 100 200', company: 'Nowak sp. z o.o.' }
const submissionTime = new Date('2026-03-04T10:11:12Z')
const answer = (fields: Parameters<typeof AnswerEvent.fromPartial>[0] = {}) =>
  AnswerEvent.fromPartial({
    ...{ id: randomId(), customerId, chatWidgetId: 7n, externalHash: randomUUID(), openCase: true, submissionTime, respondent },
    poll: { id: 3n, version: 2, name: 'What can we do for you?' },
    questions: [
      { title: 'Topic', answers: ['Taxes', 'Payroll'] },
      { title: 'Message', answers: ['Please call me.\nThank you.'] },
    ],
    ...fields,
  })
const send = (...events: AnswerEvent[]) => cases.publish(answerTopic, ...events)

type Shown = Record<string, string | null>
const list = async (path: string, wrapper: string) =>
  (await http.get<Record<string, Shown>[]>(path)).body.map((item) => item[wrapper] as Shown)
const issues = () => list('/issue', 'Issue')
const sentences = async () => list(`/issue_sentence?issue_id=${(await issues())[0]?.id}`, 'IssueSentence')
const cards = () => list('/issue_initiator', 'IssueInitiator')

describe('an answer to a poll', () => {
  it('opens a case with a business card and the answers, which waits since they were submitted', async () => {
    const event = answer()
    await send(event)
    const [card] = await cards()
    expect(card).toMatchObject({
      ...{ first_name: 'Ewa', last_name: 'Nowak', email: 'ewa@example.test', phone: '+48 600 100 200' },
      ...{ company_name: 'Nowak sp. z o.o.', user_client_id: null },
    })
    expect(await issues()).toEqual([
      expect.objectContaining({
        ...{ subject: 'What can we do for you?', source: 'poll', status: 'new', priority: '3', user_id: null, user_client_id: null },
        ...{ issue_initiator_id: card?.id, waiting_since: expect.stringMatching(/^2026-03-04 /), first_response_at: null },
      }),
    ])
    expect(await sentences()).toEqual([
      expect.objectContaining({
        ...{ speaker: 'initiator', speaker_id: null, status: 'sent', object_name: 'PollAnswer', object_id: String(event.id) },
        body: [
          'Topic\nTaxes\nPayroll',
          'Message\nPlease call me.\nThank you.',
          'Ewa Nowak\nNowak sp. z o.o.\newa@example.test\n+48 600 100 200',
        ].join('\n\n'),
      }),
    ])
  })

  it('opens a case that is counted, published and found like any other', async () => {
    await send(answer())
    expect((await http.get('/counter')).body).toMatchObject({ Counter: { Issue: { unassigned: 1 } } })
    expect((await cases.published(issueTopic)).filter(({ event }) => event.customerId === customerId)).toMatchObject([
      { event: { revision: 1n, change: { $case: 'opened' }, state: { number: 1n } } },
    ])
    expect(await list('/issue?q=payroll', 'Issue')).toHaveLength(1)
  })

  it('opens one case, however often its event is delivered', async () => {
    const event = answer()
    const id = randomUUID()
    const deliver = () => publishEvents(cases.transport, answerTopic, [event], { id })
    await Promise.all([deliver(), deliver()])
    await deliver()
    expect(await issues()).toHaveLength(1)
    expect(await sentences()).toHaveLength(1)
    expect(await cards()).toHaveLength(1)
  })

  it('opens none if the widget does not ask for one', async () => {
    await send(answer({ openCase: false }))
    expect(await issues()).toEqual([])
  })

  it('refers to an existing card with the address, without changing it', async () => {
    const named = (first_name: string, email = respondent.email) => ({ IssueInitiator: { first_name, last_name: 'Nowak', email } })
    const { body } = await http.post<{ id: number }>('/issue_initiator', named('Ewa Maria', 'Ewa@Example.test'))
    await http.post('/issue_initiator', named('Younger'))
    await cases.asExpert(cases.office().expert).post('/issue_initiator', named('Elsewhere'))
    await send(answer(), answer({ respondent: { ...respondent, email: 'EWA@example.test' } }))
    expect((await issues()).map(({ issue_initiator_id }) => issue_initiator_id)).toEqual([String(body.id), String(body.id)])
    expect(await cards()).toMatchObject([{ first_name: 'Ewa Maria', phone: null }, { first_name: 'Younger' }])
  })

  it('is not shown to a client with the entered address', async () => {
    const client = cases.client(office)
    const card = { first_name: 'A', last_name: 'Client', email: respondent.email, user_client_id: String(client.userId) }
    expect((await http.post('/issue_initiator', { IssueInitiator: card })).status).toBe(201)
    await send(answer())
    expect(await issues()).toMatchObject([{ user_client_id: null }])
    expect((await cases.asClient(client).get('/issue')).body).toEqual([])
  })

  it.each([
    ['nobody', undefined, []],
    ['an e-mail', { email: 'a@example.test' }, [{ first_name: '', last_name: 'a@example.test', company_name: null }]],
    ['a company', { company: 'Acme', phone: '12' }, [{ first_name: '', last_name: 'Acme', phone: '12', email: null }]],
    ['a first name', { firstname: 'Ewa' }, [{ first_name: 'Ewa', last_name: '' }]],
    ['empty fields', {}, []],
    ['too much', { lastname: `x\u0000\n${'ż'.repeat(4000)}` }, [{ last_name: `x ${'ż'.repeat(98)}` }]],
  ])('of %s opens a case with what is known', async (_, left, expected) => {
    await send(answer({ poll: undefined, questions: [], respondent: left }))
    expect(await issues()).toMatchObject([{ subject: 'Answers from the website' }])
    expect(await cards()).toMatchObject(expected)
    expect((await sentences())[0]?.body).not.toBe('')
  })

  it('opens a case without characters that disguise a text', async () => {
    const answers = ['invoice\u202Efdp.exe\u2028\u2069Thank you\r\n\u0007!']
    await send(answer({ questions: [{ title: 'A \u2066file', answers }], respondent: undefined }))
    expect((await sentences())[0]?.body).toBe('A file\ninvoicefdp.exe\nThank you\n!')
  })

  it('with long texts opens a case with their beginning, and the complete contact data', async () => {
    await send(answer({ questions: Array.from({ length: 20 }, () => ({ title: 'T', answers: ['𝒳'.repeat(4_000)] })) }))
    const body = (await sentences())[0]?.body ?? ''
    expect([...body]).toHaveLength(50_000)
    expect(body).toMatch(/^T\n𝒳.*𝒳…\n\nEwa Nowak\nNowak sp\. z o\.o\.\newa@example\.test\n\+48 600 100 200$/su)
  })
})
