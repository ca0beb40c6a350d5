import type { HttpClient } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'

/** A question of each type, and a contact. */
export const blocks = [
  { type: 'shortQuestion', data: { title: 'What is your job?', required: true } },
  { type: 'longQuestion', data: { title: 'What else?' } },
  { type: 'oneOptionQuestion', data: { title: 'Did we help?', required: true, options: [{ value: 'Yes' }, { value: 'No' }] } },
  { type: 'multipleOptionQuestion', data: { title: 'With what?', options: [{ value: 'Tax' }, { value: 'Law' }, { value: 'Pay' }] } },
  { type: 'selectQuestion', data: { title: 'Where?', options: [{ value: 'Łódź' }, { value: 'Kraków' }] } },
  {
    type: 'lineScaleQuestion',
    data: {
      title: 'How was it?',
      line_scale: [{ label_from: { text: 'bad', value: 1 } }, { label_to: { text: 'good', value: 5 } }],
    },
  },
  { type: 'contact', data: {} },
]

export const newPoll = { Poll: { name: 'Our service', blocks } }

/** Creates a poll and publishes it. */
export async function publishPoll(expert: HttpClient, fields: object = {}): Promise<number> {
  const { body } = await expert.post<{ id: number }>('/poll', { Poll: { ...newPoll.Poll, ...fields } })
  await expert.post(`/poll/${body.id}/publish`)
  return body.id
}

export interface Widget {
  readonly id: number
  readonly external_hash: string
}

/** Creates a widget in the office of `expert`. */
export async function newWidget(expert: HttpClient, fields: object = {}): Promise<Widget> {
  const { body } = await expert.post<Widget>('/chat_widget', { ChatWidget: { url: 'https://shop.example', ...fields } })
  return body
}

/** The number of addresses that were used: each answer comes from a new one, so that no rate limit applies. */
let networks = 0
export const fromElsewhere = () => ({ 'x-forwarded-for': `10.${(++networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}` })

/** The answers to the questions of `blocks`. */
export interface Answers {
  readonly job?: string
  readonly helped?: string
  readonly withWhat?: readonly string[]
  readonly how?: number
  readonly contact?: object
}

const options = (chosen: readonly string[]) => chosen.map((value) => ({ value, selected: true }))

/** An answer to the poll of `blocks`. */
export function answerTo(pollId: string, { job = 'Baker', helped = 'Yes', withWhat = [], how, contact }: Answers = {}) {
  const scale = blocks[5]?.data
  return [
    { type: 'header', data: { poll_id: pollId } },
    { type: 'shortQuestion', data: { title: 'What is your job?', required: true, value: job } },
    { type: 'oneOptionQuestion', data: { title: 'Did we help?', options: options([helped]) } },
    ...(withWhat.length > 0 ? [{ type: 'multipleOptionQuestion', data: { title: 'With what?', options: options(withWhat) } }] : []),
    ...(how === undefined ? [] : [{ type: 'lineScaleQuestion', data: { ...scale, value: how } }]),
    ...(contact ? [{ type: 'contact', data: contact }] : []),
  ]
}

/** A hash that no widget has. */
export const unknown = '00000000-0000-4000-8000-000000000000'
export const notFound = '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'

/** Helpers that create offices with widgets, and that save answers of visitors. */
export const visitors = (service: TestService) => ({
  /** Creates an office with a widget. */
  async officeWithWidget(fields: object = {}) {
    const { customerId, expert } = service.office()
    const http = service.asExpert(expert)
    const widget = await newWidget(http, fields)
    return { customerId, http, widget, pollId: `${customerId}-${widget.external_hash}` }
  },
  save: (body: unknown, headers: Record<string, string> = fromElsewhere()) =>
    service.visitor.post<{ id: number }>('/poll_answers/save', body, headers),
})
