import { eventually, type HttpClient } from '@caseway/testing'
import { beforeAll, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signIn, signInAs } from './people.js'

interface Sentence {
  IssueSentence: { id: string; body: string }
  CommonFileObject: { CommonFile: { id: string; name: string; virus_scan_status: string } }[]
}

async function created(answer: Promise<{ status: number; text: string; body: { id: number } }>): Promise<number> {
  const { status, text, body } = await answer
  expect({ status, text: status === 201 ? '' : text }).toEqual({ status: 201, text: '' })
  return body.id
}

const upload = (http: HttpClient, customerId: string, content: string, name: string) => {
  const form = new FormData()
  form.set('customer_id', customerId)
  form.set('file', new Blob([content]), name)
  return created(http.post('/common_file', form))
}

const say = (http: HttpClient, issue: number, fields: object) =>
  created(http.post('/issue_sentence', { IssueSentence: { issue_id: String(issue), ...fields } }))

const link = (http: HttpClient, file: number, sentence: number) =>
  http.post<{ id: number }>('/common_file_object', {
    CommonFileObject: { common_file_id: String(file), object_name: 'IssueSentence', object_id: String(sentence) },
  })

const filesOf = async (http: HttpClient, issue: number) => {
  const { body } = await http.get<Sentence[]>(`/issue_sentence?issue_id=${issue}`)
  return body.map(({ IssueSentence, CommonFileObject }) => ({
    body: IssueSentence.body,
    files: CommonFileObject.map(({ CommonFile: { name, virus_scan_status } }) => `${name} ${virus_scan_status}`),
  }))
}

/** The tests of files from a client to an office and back, independent of how the platform runs. */
export function attachmentJourney(demo: () => Demo): void {
  let expert: HttpClient
  let trainee: HttpClient
  let client: HttpClient
  let customerId: string
  let issue: number
  beforeAll(async () => {
    const { client_base_url, client_id, clients, offices } = demo()
    customerId = offices[0]?.customer_id ?? ''
    const account = clients.find(({ customer_ids }) => customer_ids.includes(customerId))
    if (!account) throw new Error('The first office of the demo has no client.')
    client = (await signIn(client_base_url, client_id, account)).api
    expert = (await signInAs(demo(), 'expert')).api
    trainee = (await signInAs(demo(), 'trainee')).api
  })
  const questionWithFile = { body: 'What is this?', files: ['question.txt ok'] }

  it('a client asks with a file, which the office sees beside the question, and downloads', async () => {
    issue = await created(client.post('/issue', { Issue: { customer_id: customerId, subject: 'A letter' } }))
    const file = await upload(client, customerId, 'A letter to read', 'question.txt')
    const question = await say(client, issue, { body: questionWithFile.body })
    const id = await created(link(client, file, question))
    expect((await link(client, file, question)).body.id).toBe(id)
    for (const reader of [expert, client]) await eventually(async () => expect(await filesOf(reader, issue)).toEqual([questionWithFile]))
    const { status, text, headers } = await expert.get(`/common_file/${file}`)
    expect({ status, text }).toEqual({ status: 200, text: 'A letter to read' })
    expect(headers.get('content-disposition')).toContain('question.txt')
  })

  it('the answer with its file is visible to the client only after it was sent', async () => {
    const answer = await say(expert, issue, { body: 'Read this.', status: 'draft' })
    const file = await upload(expert, customerId, 'An explanation', 'answer.txt')
    await created(link(expert, file, answer))
    const answerWithFile = { body: 'Read this.', files: ['answer.txt ok'] }
    await eventually(async () => expect(await filesOf(expert, issue)).toEqual([questionWithFile, answerWithFile]))
    expect(await filesOf(client, issue)).toEqual([questionWithFile])
    expect((await client.get(`/common_file/${file}`)).status).toBe(404)
    expect((await client.get<object[]>(`/common_file/common_file_object?object_id=${answer}`)).body).toEqual([])

    expect((await expert.put(`/issue_sentence/${answer}`, { IssueSentence: { status: 'sent' } })).status).toBe(200)
    expect(await filesOf(client, issue)).toEqual([questionWithFile, answerWithFile])
    await eventually(async () => expect((await client.get(`/common_file/${file}`)).text).toBe('An explanation'))
    expect((await client.get<object[]>(`/common_file/common_file_object?object_id=${answer}`)).body).toHaveLength(1)
    expect((await client.delete(`/common_file/${file}`)).status).toBe(403)
  })

  it('no file reaches the client without the review', async () => {
    const reply = await say(trainee, issue, { body: 'I think so.', status: 'to_review' })
    const file = await upload(trainee, customerId, 'A guess', 'guess.txt')
    expect((await link(trainee, file, reply)).status).toBe(403)
    expect((await client.get(`/common_file/${file}`)).status).toBe(404)
  })

  it('a removed record takes its files along', async () => {
    const draft = await say(expert, issue, { body: 'No.', status: 'draft' })
    await created(link(expert, await upload(expert, customerId, 'No', 'no.txt'), draft))
    const linked = async () => (await expert.get<object[]>(`/common_file/common_file_object?object_id=${draft}`)).body
    expect(await linked()).toHaveLength(1)
    expect((await expert.delete(`/issue_sentence/${draft}`)).status).toBe(200)
    await eventually(async () => expect(await linked()).toEqual([]))
  })
}
