import { randomBytes } from 'node:crypto'
import { eventually, httpClient, randomId } from '@caseway/testing'
import type { TestPlatform } from '@caseway/testing/accounting-platform'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { asOwner } from './databases.js'
import { administratorOf, signIn, signInAs } from './people.js'
import { clientSamples, codeOf, officeSamples, type Records, recordsOf } from './samples.js'

/** The list of files with their links has a path of its own. */
const attachedFiles = { '/common_file/common_file_object': ({ create }: Records) => create('/common_file_object') }

/** Records of an office of the demo, created by its administrator or its expert. */
export async function officeRecords(demo: Demo, office: number, platform: TestPlatform, home: string): Promise<Records> {
  const { accounts, customer_id } = demo.offices[office] ?? missing()
  const api = await administratorOf(demo, office)
  const client = demo.clients.find(({ customer_ids }) => customer_ids.includes(customer_id)) ?? missing()
  const newest = async (path: string, wrapper: string) => {
    const { body } = await api.get<Record<string, { id: string }>[]>(path)
    return body[0]?.[wrapper]?.id ?? missing()
  }
  return recordsOf(api, officeSamples({ trainee: accounts.trainee.user_id, client: client.user_id, platform }), {
    ...attachedFiles,
    // Being assigned a case by a colleague creates a notification.
    async '/notification'() {
      const colleague = await signInAs(demo, 'expert', office)
      await colleague.api.post('/issue', { Issue: { subject: 'Sample', user_id: accounts.administrator.user_id } })
      return newest('/notification', 'Notification')
    },
    // Connected, with a chosen company.
    async '/partner_oauth2'() {
      const PartnerOauth2 = { auth_code: await codeOf(platform, 1) }
      const { body } = await api.post<{ PartnerOauth2: { id: string } }>('/partner_oauth2', { PartnerOauth2 })
      return body.PartnerOauth2.id
    },
    // The list of widgets has a path of its own.
    '/chat_widget/list': ({ create }) => create('/chat_widget'),
    // Answered without a token.
    async '/poll_answer'({ create }) {
      const { body } = await api.get<{ ChatWidget: { external_hash: string } }>(`/chat_widget/${await create('/chat_widget')}`)
      const header = { type: 'header', data: { poll_id: `${customer_id}-${body.ChatWidget.external_hash}` } }
      const saved = await httpClient(demo.client_base_url).post<{ id: number }>('/poll_answers/save', [header])
      return String(saved.body.id)
    },
    // The change of a case creates a delivery; then the webhook is switched off.
    async '/webhook_delivery'({ create }) {
      const path = `/webhook/${await create('/webhook')}`
      await api.put(path, { Webhook: { active: 1 } })
      await create('/issue')
      const id = await eventually(() => newest('/webhook_delivery', 'WebhookDelivery'))
      await api.put(path, { Webhook: { active: 0 } })
      await eventually(async () => {
        const { body } = await api.get<{ WebhookDelivery: { status: string } }>(`/webhook_delivery/${id}`)
        if (body.WebhookDelivery.status === 'pending') missing()
      })
      return id
    },
    // Not created by a request: it was received.
    '/mail_received_mysql_message': () => arrivedMessage(home, customer_id),
    // Not created by a request: it results from a sentence.
    '/mail_sentence': () => mailedSentence(home, customer_id),
    // A refused request creates an audit event.
    async '/audit_event'() {
      await (await signInAs(demo, 'trainee', office)).api.get('/audit_event')
      return newest('/audit_event', 'AuditEvent')
    },
  })
}

/** Inserts the mail status of a sentence. */
async function mailedSentence(home: string, office: string): Promise<string> {
  const insert = `INSERT INTO mail_sentences (customer_id, issue_id, issue_sentence_id, state, reason) VALUES ($1, $2, $2, 'not_sent', 'no_mailbox') RETURNING id`
  const [row] = await asOwner(home, 'mail', async (owner) => (await owner.query<{ id: string }>(insert, [office, String(randomId())])).rows)
  return row?.id ?? missing()
}

/** Inserts a message as the receiving engine stores it. */
async function arrivedMessage(home: string, office: string): Promise<string> {
  const [row] = await asOwner(home, 'mail', async (owner) => {
    const { rows } = await owner.query<{ id: string }>(insertMessage, [office, randomBytes(32)])
    return rows
  })
  return row?.id ?? missing()
}

const insertMessage = `
  INSERT INTO mail_received_messages (customer_id, mail_server_id, user_id, mail_thread_id, "timestamp", mail_address, mail_name, mail_to, mail_cc,
    mail_subject, mail_body, body_text, has_attachments, is_read, folder_name, size, sha256, blob_key)
  VALUES ($1, 1, 1, 1, now(), 'sample@sample.example', 'Sample', '[]', '[]', 'Sample', 'Sample', 'Sample', false, true, 'CLIENTS', 6, $2, 'none')
  RETURNING id`

/** Records of the demo's client who is linked with two offices. */
export async function clientRecords(demo: Demo): Promise<Records> {
  const client = demo.clients.find(({ customer_ids }) => customer_ids.length === 2) ?? missing()
  const [office = '', another = ''] = client.customer_ids
  const { api } = await signIn(demo.client_base_url, demo.client_id, client)
  return recordsOf(api, clientSamples(office, another), attachedFiles)
}

function missing(): never {
  throw new Error('The demo is not as its plan says.')
}
