import { ScanStatus } from '@caseway/protos/files/v1/events'
import { fileTopic, linkTopic, sentenceTopic } from '@caseway/protos/topics'
import { type GrpcClient, grpcClient, type TestTenant } from '@caseway/testing'
import { link } from '@caseway/testing/fake-auth'
import { attachment, file } from '@caseway/testing/fake-files'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { put, write } from '../support/sentences.js'

let cases: Cases
let sentences: GrpcClient
beforeAll(async () => {
  cases = await startCases()
  sentences = grpcClient(cases.service.grpcAddress, 'caseway.cases_and_counters.v1.SentenceService')
})
afterAll(async () => {
  sentences.close()
  await cases.stop()
})

/** Creates a case with a client. */
async function withCase() {
  const office = cases.office()
  const { customerId } = office
  const client = cases.client(office)
  await cases.publish(linkTopic, link({ customerId, clientId: client.userId }))
  const [expert, trainee] = [cases.asExpert(office.expert), cases.asExpert(office.trainee)]
  const issue = await openIssue(expert, { user_client_id: String(client.userId), subject: 'Annual statement' })
  return { office, client, expert, trainee, issue }
}
const asking = (issue: number | string) => ({ IssueSentence: { issue_id: issue, body: 'A question' } })
const eventsOf = async ({ customerId }: TestTenant) =>
  (await cases.published(sentenceTopic)).map(({ event }) => event).filter((event) => event.customerId === customerId)
const asked = async ({ customerId }: TestTenant, id: number) =>
  (await sentences.call<{ sentence: object | null }>('GetSentSentence', { customer_id: String(customerId), sentence_id: String(id) }))
    .sentence

it('a sentence is published once, when it is sent or approved', async () => {
  const { office, client, expert, trainee, issue } = await withCase()
  const sent = (await write(expert, issue)).body.id
  const draft = (await write(expert, issue, { status: 'draft' })).body.id
  const reviewed = (await write(trainee, issue)).body.id
  const question = (await cases.asClient(client).post<{ id: number }>('/issue_sentence', asking(issue))).body.id
  const of = (id: number, speakerId: bigint) => ({
    ...{ sentenceId: BigInt(id), customerId: office.customerId, issueId: BigInt(issue), speakerId, clientId: client.userId },
  })
  // A client's own sentence was sent to no client.
  const asked = { ...of(question, client.userId), clientId: undefined }
  const first = [of(sent, office.expert.userId), asked]
  expect(await eventsOf(office)).toEqual(first)
  await put(expert, reviewed, { status: 'sent', body: 'Corrected' })
  const second = [...first, of(reviewed, office.trainee.userId)]
  expect(await eventsOf(office)).toEqual(second)
  await put(expert, draft, { status: 'sent' })
  const third = [...second, of(draft, office.expert.userId)]
  expect(await eventsOf(office)).toEqual(third)
  expect((await put(expert, draft, { status: 'sent' })).status).toBe(409)
  expect(await eventsOf(office)).toEqual(third)
})

it('contains no client if the case has none', async () => {
  const office = cases.office()
  const http = cases.asExpert(office.expert)
  await write(http, await openIssue(http))
  expect(await eventsOf(office)).toMatchObject([{ clientId: undefined }])
})

it('a sent sentence is returned with its case and its files, to its own office, until it is deleted', async () => {
  const { office, client, expert, issue } = await withCase()
  const { customerId } = office
  const id = (await write(expert, issue)).body.id
  const files = [
    file({ customerId, links: [attachment(id)], scanStatus: ScanStatus.PENDING }),
    file({ customerId, links: [attachment(id)] }),
    file({ customerId, links: [attachment(id)], fileNotExists: true }),
  ] as const
  await cases.publish(fileTopic, ...files)
  expect(await asked(office, id)).toEqual({
    ...{ id: String(id), issue_id: String(issue), subject: 'Annual statement', body: 'Dear client' },
    ...{ speaker_id: String(office.expert.userId), client_id: String(client.userId), _client_id: 'client_id' },
    files: files
      .slice(0, 2)
      .sort((one, other) => Number(one.links[0]?.id) - Number(other.links[0]?.id))
      .map(({ id: file, scanStatus }) => ({ common_file_id: String(file), pending: scanStatus === ScanStatus.PENDING })),
  })
  expect(await asked(cases.office(), id)).toBeNull()
  await expert.delete(`/issue_sentence/${id}`)
  expect(await asked(office, id)).toBeNull()
})

it('an unsent sentence, and one of a client, is not returned', async () => {
  const { office, client, expert, issue } = await withCase()
  const question = await cases.asClient(client).post<{ id: number }>('/issue_sentence', asking(issue))
  for (const status of ['draft', 'to_review']) expect(await asked(office, (await write(expert, issue, { status })).body.id)).toBeNull()
  expect(await asked(office, question.body.id)).toBeNull()
})
