import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { answerTo, newWidget, publishPoll } from '../../services/polls-and-widgets/test/support/polls.js'
import { rowsOf } from './databases.js'
import { signIn, signInAs } from './people.js'

const idOf = async (answer: Promise<{ status: number; text: string; body: { id: number } }>) => {
  const { status, text, body } = await answer
  if (status !== 201) throw new Error(`${status} ${text}`)
  return String(body.id)
}

const upload = (http: HttpClient, customerId: string, name: string) => {
  const form = new FormData()
  form.set('customer_id', customerId)
  form.set('file', new Blob([`The bytes of ${name}`]), name)
  return idOf(http.post('/common_file', form))
}

/** The client of the demo who is linked with both offices. */
export function sharedClient({ clients, client_base_url, client_id }: Demo) {
  const account = clients.find(({ customer_ids }) => customer_ids.length === 2)
  if (!account) throw new Error('The demo has no client of two offices.')
  return signIn(client_base_url, client_id, account)
}

/**
 * Creates connected records of the demo's second office: a case of a client with files on both sides, nested mail folders, a message in one of them
 * and one in TRASH, a queued mail with a file, and an answer to a poll.
 */
export async function connectedRecords(demo: Demo, home: string): Promise<void> {
  const customer = demo.offices[1]?.customer_id ?? ''
  const [client, expert] = [(await sharedClient(demo)).api, (await signInAs(demo, 'expert', 1)).api]
  const attached = async (http: HttpClient, name: string, sentence: string) => {
    const file = await upload(http, customer, name)
    await idOf(
      http.post('/common_file_object', { CommonFileObject: { common_file_id: file, object_name: 'IssueSentence', object_id: sentence } }),
    )
    await eventually(async () => {
      const found = await expert.get<{ CommonFile: { virus_scan_status: string } }>(`/common_file/${file}`)
      if (found.status !== 200) throw new Error('It is not scanned yet.')
    })
    return file
  }
  const issue = await idOf(client.post('/issue', { Issue: { customer_id: customer, subject: 'A connected case' } }))
  const question = await idOf(client.post('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'What is this?' } }))
  await attached(client, 'question.txt', question)
  const answer = await idOf(expert.post('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'Read this.', status: 'sent' } }))
  const file = await attached(expert, 'answer.txt', answer)

  await answeredPoll(demo, expert, customer)

  const [inner, outer] = [await folder(expert, 'Inner'), await folder(expert, 'Outer')]
  await expert.put(`/mail_folder/${inner}`, { MailFolder: { parent_id: outer } })
  await expert.post('/mail_folder_setting', { MailFolderSetting: { order: JSON.stringify([outer, inner]) } })
  const [server] = await rowsOf<{ id: string; user_id: string }>(
    home,
    'mail',
    `SELECT id, user_id FROM mail_servers WHERE customer_id = ${customer} LIMIT 1`,
  )
  const [thread] = await rowsOf<{ id: string }>(
    home,
    'mail',
    `INSERT INTO mail_threads (customer_id, issue_id) VALUES (${customer}, ${issue}) RETURNING id`,
  )
  const message = (subject: string, where: string) => `
    INSERT INTO mail_received_messages (customer_id, mail_server_id, user_id, mail_thread_id, issue_id, "timestamp", mail_address, mail_name, mail_to, mail_cc,
      mail_subject, mail_body, body_text, has_attachments, is_read, size, sha256, blob_key, folder_name, mail_folder_id, before)
    VALUES (${customer}, ${server?.id}, ${server?.user_id}, ${thread?.id}, ${issue}, now(), 'a@sample.example', 'Sample', '[]', '[]',
      '${subject}', 'Sample', 'Sample', false, true, 6, sha256('${subject}'), 'none', ${where})`
  await rowsOf(home, 'mail', message('Kept', `NULL, ${inner}, NULL`))
  await rowsOf(home, 'mail', message('Thrown away', `'TRASH', NULL, '{"mail_folder_id": "${inner}"}'`))
  await rowsOf(
    home,
    'mail',
    `INSERT INTO mail_sent_messages (customer_id, mail_server_id, user_id, mail_subject, status, folder_name, common_file_ids)
     VALUES (${customer}, ${server?.id}, ${server?.user_id}, 'Waiting', 0, 'SENT', '["${file}"]')`,
  )
}

async function answeredPoll({ client_base_url }: Demo, expert: HttpClient, customer: string) {
  const widget = await newWidget(expert)
  await publishPoll(expert, { chat_widget_id: widget.id })
  const answered = await httpClient(client_base_url).post('/poll_answers/save', answerTo(`${customer}-${widget.external_hash}`))
  if (answered.status !== 201) throw new Error(answered.text)
}

const folder = (expert: HttpClient, name: string) => idOf(expert.post('/mail_folder', { MailFolder: { name } }))

/** The case as the office sees it, reduced to texts. */
export async function connectedCase(http: HttpClient) {
  const cases = await http.get<{ Issue: { id: string; subject: string } }[]>('/issue?limit=100')
  const issue = cases.body.find(({ Issue }) => Issue.subject === 'A connected case')?.Issue
  const { body } = await http.get<Sentence[]>(`/issue_sentence?issue_id=${issue?.id}`)
  return body.map(({ IssueSentence, CommonFileObject }) => ({
    ...{ speaker: IssueSentence.speaker, body: IssueSentence.body },
    files: CommonFileObject.map(({ CommonFile }) => ({ id: CommonFile.id, name: CommonFile.name, status: CommonFile.virus_scan_status })),
  }))
}

interface Sentence {
  IssueSentence: { body: string; speaker: string }
  CommonFileObject: { CommonFile: { id: string; name: string; virus_scan_status: string } }[]
}
