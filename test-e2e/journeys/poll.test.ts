import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { keepOutboxHistory } from '@caseway/testing/outbox-history'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { answerTo, newWidget, publishPoll } from '../../services/polls-and-widgets/test/support/polls.js'
import { countersOf } from '../support/cases.js'
import { asOwner, rowsOf } from '../support/databases.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: HttpClient
let visitor: HttpClient

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  await asOwner(home, 'polls-and-widgets', (owner) => owner.query(keepOutboxHistory))
  expert = (await signInAs(demo, 'expert')).api
  visitor = httpClient(demo.client_base_url)
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

const officeId = () => demo.offices[0]?.customer_id
const contact = { email: 'ewa@visitor.example', firstname: 'Ewa', lastname: 'Nowak', phone: '+48 600 100 200', company: 'Nowak sp. z o.o.' }

type Shown = Record<string, string | null>
const shown = async (path: string, wrapper: string, api = expert) =>
  (await api.get<Record<string, Shown>[]>(path)).body.map((item) => item[wrapper])
const casesOfPolls = async (api = expert) => (await shown('/issue?limit=1000', 'Issue', api)).filter((issue) => issue?.source === 'poll')

/** Creates a widget with a poll. */
async function widgetWithPoll(name: string, settings: object) {
  const widget = await newWidget(expert, { settings: JSON.stringify(settings) })
  await publishPoll(expert, { name, chat_widget_id: String(widget.id) })
  return widget
}

/** Answers the poll as the widget on a page does, using the public addresses only. */
async function answer({ external_hash }: { external_hash: string }, job: string): Promise<number> {
  const { body } = await visitor.get<{ ChatWidget: { polls: string[] } }>(`/widgets/${external_hash}`)
  const { body: poll } = await visitor.get<{ Poll: { blocks: { data: { poll_id: string } }[] } }>(`/polls/${body.ChatWidget.polls[0]}`)
  const sent = answerTo(poll.Poll.blocks[0]?.data.poll_id ?? '', { job, withWhat: ['Tax', 'Pay'], how: 4, contact })
  const saved = await visitor.post<{ id: number }>('/poll_answers/save', sent)
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)])
  return saved.body.id
}

const tellFirstAgain = `
  INSERT INTO kit.outbox (event_id, topic, key, payload, headers)
  SELECT event_id, topic, key, payload, headers FROM kit.outbox_history WHERE topic = 'polls-and-widgets.answer.v1' ORDER BY id LIMIT 1`

describe('the way of an answer to a poll', () => {
  let answerId: number
  let unassigned: number

  it('it opens a case without an owner, with a business card and the answers as its first sentence', async () => {
    unassigned = (await countersOf(expert)).unassigned
    answerId = await answer(await widgetWithPoll('Write to us', { open_case: true }), 'Baker')
    const [issue, ...others] = await eventually(async () => {
      const issues = await casesOfPolls()
      expect(issues.length).toBeGreaterThan(0)
      return issues
    })
    expect([issue, others]).toEqual([
      expect.objectContaining({ subject: 'Write to us', source: 'poll', status: 'new', user_id: null, customer_id: officeId() }),
      [],
    ])
    expect((await expert.get(`/issue_initiator/${issue?.issue_initiator_id}`)).body).toMatchObject({
      IssueInitiator: {
        ...{ first_name: 'Ewa', last_name: 'Nowak', email: contact.email, phone: contact.phone, company_name: contact.company },
        user_client_id: null,
      },
    })
    expect(await shown(`/issue_sentence?issue_id=${issue?.id}`, 'IssueSentence')).toEqual([
      expect.objectContaining({
        ...{ speaker: 'initiator', status: 'sent', object_name: 'PollAnswer', object_id: String(answerId) },
        body: [
          ...['What is your job?\nBaker', 'Did we help?\nYes', 'With what?\nTax\nPay', 'How was it?\n4'],
          'Ewa Nowak\nNowak sp. z o.o.\newa@visitor.example\n+48 600 100 200',
        ].join('\n\n'),
      }),
    ])
    expect((await countersOf(expert)).unassigned).toBe(unassigned + 1)
  })

  it('it is a case of its own office alone', async () => {
    expect(await casesOfPolls((await signInAs(demo, 'expert', 1)).api)).toEqual([])
  })

  it('it opens one case, however often its event comes', async () => {
    for (let delivery = 0; delivery < 3; delivery++) {
      const { rowCount } = await asOwner(home, 'polls-and-widgets', (owner) => owner.query(tellFirstAgain))
      expect(rowCount).toBe(1)
      await eventually(async () => expect(await rowsOf(home, 'polls-and-widgets', 'SELECT id FROM kit.outbox')).toEqual([]))
    }
    expect(await casesOfPolls()).toHaveLength(1)
    expect((await countersOf(expert)).unassigned).toBe(unassigned + 1)
    const isOfEwa = (card: Shown | undefined) => card?.email === contact.email
    expect((await shown('/issue_initiator?limit=1000', 'IssueInitiator')).filter(isOfEwa)).toHaveLength(1)
  })

  it('it opens none if the widget does not want it, and the next answer of the same person uses the existing card', async () => {
    await answer(await widgetWithPoll('How was it?', {}), 'Miller')
    await answer(await widgetWithPoll('Write again', { open_case: true }), 'Weaver')
    const issues = await eventually(async () => {
      const issues = await casesOfPolls()
      expect(issues).toHaveLength(2)
      return issues
    })
    expect(issues.map((issue) => issue?.subject).toSorted()).toEqual(['Write again', 'Write to us'])
    expect(new Set(issues.map((issue) => issue?.issue_initiator_id)).size).toBe(1)
  })
})
