import type { HttpClient } from '@caseway/testing'

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

/** A widget of the office of `expert`. */
export async function newWidget(expert: HttpClient, fields: object = {}): Promise<Widget> {
  const { body } = await expert.post<Widget>('/chat_widget', { ChatWidget: { url: 'https://shop.example', ...fields } })
  return body
}

/** A network that no other answer comes from, so that no limit is in the way. */
let networks = 0
export const fromElsewhere = () => ({ 'x-forwarded-for': `10.${(++networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}` })

/** What somebody answers. */
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
