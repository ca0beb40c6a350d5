import { createDatabase } from '@caseway/kit/database'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { erasePerson } from '@caseway/kit/person-data'
import { randomId } from '@caseway/testing'
import { testService } from '@caseway/testing/service'
import { afterAll, describe, expect, it } from '@jest/globals'
import { PrismaClient } from '../src/generated/client.js'
import { tables } from '../src/tables.js'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, visitors } from './support/polls.js'

const service = await testService(pollsAndWidgets)
const log = createLog({ service: 'polls-and-widgets', level: 'silent' })
const db = createDatabase({ url: service.database.url, client: PrismaClient, log, metrics: createMetrics('polls-and-widgets') })
afterAll(async () => {
  await db.close()
  await service.stop()
})

const { officeWithWidget, save } = visitors(service)

/** The data by which the office knows the person, which are only a part of those in the answer. */
const known = { emails: ['ada@client.example'], phones: [], names: [{ first: 'Ada', last: 'Byron' }], companies: [] }
const contact = { email: 'Ada@client.example', phone: '+48 600 100 200', firstname: 'Ada', lastname: 'King', company: 'Engines' }

interface Stored {
  readonly results: { readonly poll_json: string; readonly phone: string | null }[]
}

describe('a person who is erased', () => {
  it('is erased from their own answers, and blacked out in those of others', async () => {
    const { http, customerId, pollId } = await officeWithWidget()
    const job = 'Ada, of "Engines"'
    await save(answerTo(pollId, { job, contact }))
    await save(answerTo(pollId, { job: 'Ada Byron', contact: { ...contact, email: 'other@client.example' } }))
    await erasePerson(db, tables, { ...known, customerId, clientId: randomId(), account: true, externalUserId: null })
    const { results } = (await http.get<Stored>('/poll_answer')).body
    const [theirs, others] = results.map(({ poll_json }) => JSON.parse(poll_json))
    const [header, asJob, ...rest] = answerTo(pollId, { job: '***, of "Engines"', contact })
    expect(theirs).toEqual([header, asJob, ...rest.slice(0, -1), { type: 'contact', data: {} }])
    expect(others).toEqual(answerTo(pollId, { job: '***', contact: { ...contact, email: 'other@client.example' } }))
    expect(results.map(({ phone }) => phone)).toEqual([null, contact.phone])
  })
})
