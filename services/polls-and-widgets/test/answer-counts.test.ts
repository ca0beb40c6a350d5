import { eventually } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { type Answers, answerTo, fromElsewhere, newWidget, publishPoll } from './support/polls.js'
import { countsIn, type PollResults, recount } from './support/recount.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

async function polled() {
  const office = service.office()
  const http = service.asExpert(office.administrator)
  const { external_hash } = await newWidget(http)
  const poll = await publishPoll(http)
  const save = async (answers: Answers) => {
    const sent = answerTo(`${office.customerId}-${external_hash}`, answers)
    return (await service.visitor.post<{ id: number }>('/poll_answers/save', sent, fromElsewhere())).body.id
  }
  const stored = () => service.database.rows<{ poll_json: string }>('SELECT poll_json FROM poll_answers WHERE poll_id = $1', [poll])
  const shown = async () => countsIn((await http.get<{ PollResults: PollResults }>(`/poll/${poll}/results`)).body.PollResults)
  return { http, poll, save, stored, shown }
}

const some = <T>(of: readonly T[], i: number) => of.filter((_, at) => (i >> at) % 2 === 1)

/** Replaces two options in an answer by `***`, as the erasure of a person with these names does. */
const blackOut = (id: number) =>
  service.database.rows("UPDATE poll_answers SET poll_json = regexp_replace(poll_json, 'Tax|Law', '***', 'g') WHERE id = $1", [id])

describe('the results', () => {
  it('equal a recount of the stored answers after concurrent saves and deletions', async () => {
    const { http, save, stored, shown } = await polled()
    const answers = (i: number): Answers => ({ helped: i % 3 ? 'Yes' : 'No', withWhat: some(['Tax', 'Law', 'Pay'], i), how: (i % 5) + 1 })
    const first = await Promise.all(Array.from({ length: 40 }, (_, i) => save(answers(i))))
    const deleted = first.filter((_, i) => i % 2 === 0).map((id) => http.delete(`/poll_answer/${id}`))
    await Promise.all([...deleted, ...Array.from({ length: 40 }, (_, i) => save(answers(i)))])
    const rows = await stored()
    expect(rows).toHaveLength(60)
    expect(await shown()).toEqual(recount(rows))
  })

  it('subtract an answer once that is deleted twice concurrently', async () => {
    const { http, save, stored, shown } = await polled()
    const [id] = [await save({ how: 1 }), await save({ how: 2 })]
    const statuses = (await Promise.all([http.delete(`/poll_answer/${id}`), http.delete(`/poll_answer/${id}`)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 404])
    expect(await shown()).toEqual(recount(await stored()))
  })
})

describe('an answer in which options are blacked out', () => {
  const both = { withWhat: ['Tax', 'Law'] }

  it('is deleted with all of its counts', async () => {
    const { http, save, stored, shown } = await polled()
    const [id] = [await save(both), await save(both)]
    await blackOut(id)
    expect((await http.delete(`/poll_answer/${id}`)).status).toBe(200)
    expect(await shown()).toEqual(recount(await stored()))
  })

  it('is deleted with the counts that can be read from its blocks, where it was stored without its facts', async () => {
    const { http, save, stored, shown } = await polled()
    const [id] = [await save(both), await save(both)]
    await service.database.rows('UPDATE poll_answers SET facts = NULL WHERE id = $1', [id])
    await blackOut(id)
    expect((await http.delete(`/poll_answer/${id}`)).status).toBe(200)
    expect(await shown()).toEqual({ ...recount(await stored()), 'With what?: Tax': 2, 'With what?: Law': 2 })
  })
})

it('answers expire with their day, and so do their counts', async () => {
  const short = await testService(pollsAndWidgets, { variables: { POLL_ANSWER_RETENTION_DAYS: '30' } })
  try {
    const office = short.office()
    const http = short.asExpert(office.expert)
    const { external_hash } = await newWidget(http)
    const poll = await publishPoll(http)
    const save = () => short.visitor.post('/poll_answers/save', answerTo(`${office.customerId}-${external_hash}`), fromElsewhere())
    await save()
    const move = async (day: string) => {
      for (const table of ['poll_answers', 'poll_counts'])
        await short.database.rows(`UPDATE ${table} SET day = ${day} WHERE day > current_date - 2`)
    }
    await move('current_date - 32')
    await save()
    // The day farthest west of an answer that has not been kept for thirty days yet.
    await move("((now() - interval '29 days 23 hours') AT TIME ZONE 'Etc/GMT+12')::date")
    await save()
    // A new schedule runs its job immediately.
    await short.database.rows("DELETE FROM kit.schedule WHERE name = 'purge'")
    const shown = async () => (await http.get<{ PollResults: PollResults }>(`/poll/${poll}/results`)).body.PollResults.answers
    const stored = () => short.database.rows('SELECT id FROM poll_answers')
    await eventually(async () => expect([await shown(), (await stored()).length]).toEqual(['2', 2]), { timeoutMs: 90_000 })
  } finally {
    await short.stop()
  }
}, 120_000)
