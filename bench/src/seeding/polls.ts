import type { OwnedDatabase } from '../platform/databases.js'

export const answersOfPoll = 1_000_000
/** The number of days over which the answers are spread. */
const daysOfPoll = 365

const title = (number: number) => `Question ${number}`
const options = Array.from({ length: 5 }, (_, index) => ({ value: `Option ${index + 1}` }))
const ends = [{ label_from: { text: 'bad', value: 1 } }, { label_to: { text: 'good', value: 10 } }]

const blocks = JSON.stringify([
  ...[1, 2, 3].map((number) => ({ type: 'oneOptionQuestion', data: { title: title(number), options } })),
  ...[4, 5, 6].map((number) => ({ type: 'multipleOptionQuestion', data: { title: title(number), options } })),
  ...[7, 8, 9].map((number) => ({ type: 'lineScaleQuestion', data: { title: title(number), line_scale: ends } })),
  { type: 'shortQuestion', data: { title: title(10) } },
])

/** An answer of the usual length. */
const answer = (pollId: string) =>
  JSON.stringify([
    { type: 'header', data: { poll_id: pollId } },
    ...[1, 2, 3].map((number) => ({
      type: 'oneOptionQuestion',
      data: { title: title(number), options: [{ ...options[0], selected: true }] },
    })),
    { type: 'shortQuestion', data: { title: title(10), value: '=SUM(1) and some more words' } },
  ])

export interface SeededPoll {
  readonly id: string
  readonly widgetHash: string
}

/** Creates a poll with a million answers of one year, and its daily counts. */
export async function seedPoll(database: OwnedDatabase, customerId: number): Promise<SeededPoll> {
  const widget = `INSERT INTO chat_widgets (customer_id, url) VALUES ($1, 'https://bench.example') RETURNING id, external_hash AS hash`
  const [{ id: widgetId, hash } = { id: '', hash: '' }] = await database.rows<{ id: string; hash: string }>(widget, [customerId])
  const poll = `INSERT INTO polls (customer_id, name, blocks, published_version, published_at) VALUES ($1, 'Bench', $2, 2, now()) RETURNING id`
  const [{ id } = { id: '' }] = await database.rows<{ id: string }>(poll, [customerId, blocks])
  await database.rows('INSERT INTO poll_versions (poll_id, version, customer_id, name, blocks) VALUES ($1, 2, $2, $3, $4)', [
    ...[id, customerId, 'Bench', blocks],
  ])
  const day = `current_date - (n % ${daysOfPoll})`
  await database.rows(
    `INSERT INTO poll_answers (customer_id, chat_widget_id, poll_id, poll_version, user_ip, day, submission_time, poll_json)
      SELECT $1, $2, $3, 2, '192.0.2.1', ${day}, ${day}, $4 FROM generate_series(1, ${answersOfPoll}) AS n`,
    [customerId, widgetId, id, answer(`${customerId}-${hash}`)],
  )
  // For each question: a count of answers, and one for each of the five options or ten steps.
  const places = 'CASE WHEN block IN (0, 10) THEN 0 WHEN block BETWEEN 7 AND 9 THEN 10 ELSE 5 END'
  await database.rows(
    `INSERT INTO poll_counts (customer_id, poll_id, version, day, block, place, count)
      SELECT $1, $2, 2, current_date - n, block, place, ${Math.round(answersOfPoll / daysOfPoll)} / greatest(1, CASE WHEN place = 0 THEN 1 ELSE ${places} END)
      FROM generate_series(0, ${daysOfPoll - 1}) AS n, generate_series(0, 10) AS block, generate_series(0, ${places}) AS place`,
    [customerId, id],
  )
  await database.rows('VACUUM ANALYZE poll_answers, poll_counts')
  return { id, widgetHash: hash }
}
