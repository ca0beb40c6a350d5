import { httpClient } from '@caseway/testing'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signIn, signInAs } from './people.js'
import { clientSamples, officeSamples, type Records, recordsOf } from './samples.js'

/** Files are listed with what they are attached to under a path of its own. */
const attachedFiles = { '/common_file/common_file_object': ({ create }: Records) => create('/common_file_object') }

/** Records of an office of the demo, made by its administrator. */
export async function officeRecords(demo: Demo, office: number): Promise<Records> {
  const { accounts, customer_id } = demo.offices[office] ?? missing()
  const { api } = await signInAs(demo, 'administrator', office)
  const client = demo.clients.find(({ customer_ids }) => customer_ids.includes(customer_id)) ?? missing()
  const newest = async (path: string, wrapper: string) => {
    const { body } = await api.get<Record<string, { id: string }>[]>(path)
    return body[0]?.[wrapper]?.id ?? missing()
  }
  return recordsOf(api, officeSamples({ trainee: accounts.trainee.user_id, client: client.user_id }), {
    ...attachedFiles,
    // A colleague gives them a case, and so they are notified.
    async '/notification'() {
      const colleague = await signInAs(demo, 'expert', office)
      await colleague.api.post('/issue', { Issue: { subject: 'Sample', user_id: accounts.administrator.user_id } })
      return newest('/notification', 'Notification')
    },
    // Widgets are listed under a path of their own.
    '/chat_widget/list': ({ create }) => create('/chat_widget'),
    // Somebody without a token answers.
    async '/poll_answer'({ create }) {
      const { body } = await api.get<{ ChatWidget: { external_hash: string } }>(`/chat_widget/${await create('/chat_widget')}`)
      const header = { type: 'header', data: { poll_id: `${customer_id}-${body.ChatWidget.external_hash}` } }
      const saved = await httpClient(demo.client_base_url).post<{ id: number }>('/poll_answers/save', [header])
      return String(saved.body.id)
    },
    // Somebody is refused there, and so the trail has a row of theirs.
    async '/audit_event'() {
      await (await signInAs(demo, 'trainee', office)).api.get('/audit_event')
      return newest('/audit_event', 'AuditEvent')
    },
  })
}

/** Records of the demo's client who deals with two offices. */
export async function clientRecords(demo: Demo): Promise<Records> {
  const client = demo.clients.find(({ customer_ids }) => customer_ids.length === 2) ?? missing()
  const [office = '', another = ''] = client.customer_ids
  const { api } = await signIn(demo.client_base_url, demo.client_id, client)
  return recordsOf(api, clientSamples(office, another), attachedFiles)
}

function missing(): never {
  throw new Error('The demo is not as its plan says.')
}
