import type { Id } from '@caseway/kit/caller'
import { SentenceSentEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { SentSentence } from '@caseway/protos/cases_and_counters/v1/sentences'
import { customerTopic, linkTopic, sentenceTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, randomId, type TestTenant } from '@caseway/testing'
import { customer, link } from '@caseway/testing/fake-auth'
import { type FakeFiles, fakeFiles } from '@caseway/testing/fake-files'
import { type FakeObjects, fakeObjects, object } from '@caseway/testing/fake-objects'
import { type TestService, testService } from '@caseway/testing/service'
import { expect } from '@jest/globals'
import { type ParsedMail, simpleParser } from 'mailparser'
import { mail } from '../../src/wiring.js'
import { createMailServer } from './mail-servers.js'
import { officeWithMail, type Receiver, receiver } from './mailbox.js'
import { type TestSmtp, testSmtp } from './smtp-server.js'
import { mailFolder } from './storage.js'

const patience = { timeoutMs: 30_000 }

interface Row {
  readonly state: string
  readonly reason: string | null
  readonly mail_sent_message_id: string | null
}

/** An office that sends its sentences as mail, with a client. */
export interface SentenceOffice {
  readonly here: TestTenant
  readonly clientId: Id
  /** The address of the client, which is unique. */
  readonly address: string
  /** Publishes the settings of an office with a new revision. */
  wants(of: TestTenant, fields?: object): Promise<void>
  /** Publishes the state of the client's link. */
  linked(fields?: object): Promise<void>
  mailbox(person?: TestTenant['expert'], fields?: object): Promise<number>
  /** Adds a sentence that an employee has sent, with its case. */
  sentence(fields?: Partial<SentSentence>): SentSentence
  tell(...sentence: SentSentence[]): Promise<void>
  rowsOf(sentence: SentSentence, person?: TestTenant['expert']): Promise<Row[]>
  /** The state of a sentence, once it is not waiting any more. */
  became(sentence: SentSentence): Promise<Row>
  messages(): Promise<{ id: Id; status: number; folder_name: string }[]>
  /** The messages that the client has received, once they are `count`. */
  delivered(count?: number): Promise<{ to: readonly string[]; mail: ParsedMail }[]>
}

/** The service with stand-ins for the owners of sentences and files, and a real SMTP server. */
export interface MailedSentences {
  readonly service: TestService
  readonly owner: FakeObjects
  readonly files: FakeFiles
  readonly smtp: TestSmtp
  readonly engine: Receiver
  eventOf(sentence: SentSentence, of: TestTenant): SentenceSentEvent
  office(): Promise<SentenceOffice>
  stop(): Promise<void>
}

export async function mailedSentences(): Promise<MailedSentences> {
  const storage = await mailFolder()
  const [owner, files, smtp] = await Promise.all([fakeObjects(), fakeFiles(), testSmtp()])
  const peers = { [grpcAddressVariable('cases-and-counters')]: owner.address, [grpcAddressVariable('files')]: files.address }
  const own = { MAIL_ROLES: 'http,send', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1', MAIL_FOLDER: storage.folder }
  const service = await testService(mail, { variables: { ...peers, ...own, MAIL_ATTACHED_BYTES: '1000' } })
  const engine = receiver(service.database)
  let revision = 1n

  const eventOf = ({ id: sentenceId, issueId, speakerId, clientId }: SentSentence, { customerId }: TestTenant) =>
    SentenceSentEvent.fromPartial({ sentenceId, customerId, issueId, speakerId, clientId })
  const wants = ({ customerId }: TestTenant, fields: object = {}) =>
    service.publish(customerTopic, customer({ id: customerId, sentencesByMail: true, revision: revision++, ...fields }))

  return {
    ...{ service, owner, files, smtp, engine, eventOf },

    async office() {
      const here = officeWithMail(service)
      const { customerId } = here
      const [clientId, linkId] = [randomId(), randomId()]
      const address = `ada-${clientId}@client.example`
      const linked = (fields: object = {}) =>
        service.publish(linkTopic, link({ id: linkId, customerId, clientId, email: address, revision: revision++, ...fields }))
      await wants(here)
      await linked()

      const rowsOf = async ({ id }: SentSentence, person = here.expert) =>
        (await service.asExpert(person).get<{ MailSentence: Row }[]>(`/mail_sentence?issue_sentence_id=${id}`)).body.map(
          ({ MailSentence }) => MailSentence,
        )
      const arrived = () => {
        const ofClient = smtp.delivered.filter(({ to }) => to.includes(address))
        return Promise.all(ofClient.map(async ({ to, bytes }) => ({ to, mail: await simpleParser(bytes) })))
      }
      return {
        ...{ here, clientId, address, wants, linked, rowsOf },
        mailbox: (person = here.expert, fields = {}) =>
          createMailServer(service.asExpert(person), {
            ...{ server_protocol: 1, server_address: '127.0.0.1', server_port: smtp.port, server_encryption: 0, user_name: 'Anna Żółć' },
            ...{ user_email: `${randomId()}@office.example`, ...fields },
          }),
        sentence(fields = {}) {
          const issue = object({ customerId })
          const sentence = SentSentence.fromPartial({
            ...{ id: randomId(), issueId: issue.id, subject: 'Annual statement', body: 'Dear Ada,\n\nhere <it> is.' },
            ...{ speakerId: here.expert.userId, clientId, ...fields },
          })
          owner.objects.push(issue)
          owner.sentences.push({ ...sentence, customerId })
          return sentence
        },
        tell: (...sentence) => service.publish(sentenceTopic, ...sentence.map((one) => eventOf(one, here))),
        became: (sentence) =>
          eventually(async () => {
            const [row] = await rowsOf(sentence)
            if (!row || row.state === 'waiting') throw new Error(`The sentence is ${row?.state}.`)
            return row
          }, patience),
        messages: () =>
          service.database.rows(`SELECT id, status, folder_name FROM mail_sent_messages WHERE customer_id = ${customerId} ORDER BY id`),
        delivered: (count = 1) =>
          eventually(async () => {
            const all = await arrived()
            expect(all).toHaveLength(count)
            return all
          }, patience),
      }
    },

    async stop() {
      await engine.db.close()
      await service.stop()
      for (const other of [owner, files, smtp]) await other.stop()
      await storage.remove()
    },
  }
}
