import { type HttpClient, httpClient, type TraceReceiver, traceReceiver } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { answerTo, newWidget, publishPoll } from '../services/polls-and-widgets/test/support/polls.js'
import { signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { statementsOf } from './support/statement-count.js'

const { home, remove } = temporaryHome()
let receiver: TraceReceiver
let launcher: Launcher
let demo: Demo
let visitor: HttpClient
let widgets: Readonly<Record<string, string>>

beforeAll(async () => {
  receiver = await traceReceiver()
  launcher = launch(home, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' })
  demo = await launcher.ready()
  visitor = httpClient(demo.client_base_url)
  widgets = await hashesOfAllKinds()
}, 60_000)
afterAll(async () => {
  await launcher?.stop()
  await receiver?.stop()
  remove()
})

/** Hashes of widgets that cannot be answered: deleted, replaced, closed, of another office, and unknown. */
async function hashesOfAllKinds() {
  const [{ api: expert }, { api: stranger }] = [await signInAs(demo, 'expert'), await signInAs(demo, 'expert', 1)]
  const [deleted, replaced, closed, foreign] = [
    ...[await newWidget(expert), await newWidget(expert), await newWidget(expert)],
    await newWidget(stranger),
  ]
  const poll = await publishPoll(expert, { chat_widget_id: String(closed?.id) })
  await expert.put(`/poll/${poll}`, { Poll: { closes_at: '2026-01-01 00:00:00' } })
  await expert.delete(`/chat_widget/${deleted?.id}`)
  await expert.put(`/chat_widget/${replaced?.id}/external_hash`)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const hashOf = (widget: { external_hash: string } | undefined) => widget?.external_hash ?? ''
  return { unknown, deleted: hashOf(deleted), replaced: hashOf(replaced), closed: hashOf(closed), foreign: hashOf(foreign) }
}

/** What a caller can observe: the answer without its date, and its SQL statements. */
async function learned(path: string, sent?: unknown) {
  const { answer, statements } = await statementsOf(receiver, visitor, path, sent)
  const { 'x-request-id': id, date, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, text: answer.text, headers, statements }
}

describe('a widget that cannot be answered gets the same answer as an unknown one, by the same statements and so in the same time', () => {
  it.each(['deleted', 'replaced', 'closed', 'foreign'])('GET /polls/{hash}: %s', async (kind) => {
    const unknown = await learned(`/polls/${widgets.unknown}`)
    expect(unknown).toMatchObject({ status: 404, statements: [expect.any(String)] })
    expect(await learned(`/polls/${widgets[kind]}`)).toEqual(unknown)
  })

  it.each(['deleted', 'replaced'])('GET /widgets/{hash}: %s', async (kind) => {
    const unknown = await learned(`/widgets/${widgets.unknown}`)
    expect(unknown).toMatchObject({ status: 404, statements: [expect.any(String)] })
    expect(await learned(`/widgets/${widgets[kind]}`)).toEqual(unknown)
  })

  it.each(['deleted', 'replaced', 'foreign'])('POST /poll_answers/save: %s', async (kind) => {
    const answered = (hash: string | undefined) => learned('/poll_answers/save', answerTo(`${demo.offices[0]?.customer_id}-${hash}`))
    const unknown = await answered(widgets.unknown)
    expect(unknown).toMatchObject({ status: 404, statements: expect.arrayContaining([expect.any(String)]) })
    expect(await answered(widgets[kind])).toEqual(unknown)
  })

  it('POST /poll_answers/save: closed, whose own pages can read the answer', async () => {
    const answered = (hash: string | undefined) => learned('/poll_answers/save', answerTo(`${demo.offices[0]?.customer_id}-${hash}`))
    const { status, text, statements } = await answered(widgets.unknown)
    expect(await answered(widgets.closed)).toMatchObject({ status, text, statements })
  })
})
