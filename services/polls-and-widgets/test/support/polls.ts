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

export const newPoll = { Poll: { name: 'Our service', blocks: JSON.stringify(blocks) } }

/** Creates a poll and publishes it. */
export async function publishPoll(expert: HttpClient, fields: object = {}): Promise<number> {
  const { body } = await expert.post<{ id: number }>('/poll', { Poll: { ...newPoll.Poll, ...fields } })
  await expert.post(`/poll/${body.id}/publish`)
  return body.id
}
