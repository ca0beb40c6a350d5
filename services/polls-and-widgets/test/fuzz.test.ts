import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, blocks, fromElsewhere, newWidget, publishPoll } from './support/polls.js'

const unknown = '00000000-0000-4000-8000-000000000000'
const numRuns = Number(process.env.FUZZ_RUNS ?? 300)

let service: TestService
let pollIds: string[]
let hashes: string[]
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
  const { customerId, expert } = service.office()
  const http = service.asExpert(expert)
  const [plain, polled] = [await newWidget(http), await newWidget(http)]
  await publishPoll(http, { chat_widget_id: polled.id })
  hashes = [plain.external_hash, polled.external_hash]
  pollIds = [...hashes, unknown].map((hash) => `${customerId}-${hash}`)
})
afterAll(() => service.stop())

const titles = blocks.map(({ data }) => data.title)
const types = [...new Set(blocks.map(({ type }) => type)), 'header', '__proto__', 'toString', '']
const text = fc.oneof(fc.constantFrom(...titles, 'Yes', 'Tax', ''), fc.string({ unit: 'binary' }), fc.string())
const anything = fc.oneof(fc.jsonValue(), text, fc.constantFrom(-1, 2 ** 31, 1e300, null, true))

/** Valid, nearly valid and arbitrary blocks. */
const block = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...answerTo('1-x', { withWhat: ['Tax'], how: 3, contact: { email: 'a@b.example' } })),
  fc.record({
    type: fc.constantFrom(...types),
    data: fc.oneof(
      anything,
      fc.record(
        {
          ...{ title: text, required: fc.oneof(fc.boolean(), anything), value: fc.oneof(fc.integer(), text, anything) },
          options: fc.oneof(anything, fc.array(fc.record({ value: text, selected: fc.oneof(fc.boolean(), anything) }))),
          line_scale: fc.oneof(anything, fc.array(fc.record({ label_from: anything, label_to: anything }))),
          ...{ email: text, phone: text, firstname: text },
        },
        { requiredKeys: [] },
      ),
    ),
  }),
)
const poll = fc.oneof(fc.nat(2), text)
const body = fc.oneof(
  fc.tuple(poll, fc.array(block)).map(([id, others]) => {
    const poll_id = typeof id === 'number' ? pollIds[id] : id
    return JSON.stringify([{ type: 'header', data: { poll_id } }, ...others])
  }),
  fc.array(block).map((blocks) => JSON.stringify(blocks)),
  fc.json(),
  fc.string({ unit: 'binary' }),
)
/** Encodes any text as a segment of a path; lone surrogates become U+FFFD. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const header = fc.oneof(
  fc.constantFrom('*', 'null', '"a"', 'W/"a", b', 'https://shop.example', 'a/b;c="', 'text/javascript'),
  fc.stringMatching(/^[!-~][ -~]{0,50}$/),
)
const refusals = [400, 404, 409, 413, 415, 429]

describe('arbitrary input on a public path', () => {
  it('is stored as an answer, or refused', async () => {
    const seen = new Set<number>()
    const oneOfEach = [answerTo(`${pollIds[0]}`), answerTo(`${pollIds.at(-1)}`), []]
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status } = await service.visitor.post('/poll_answers/save', sent, {
          ...fromElsewhere(),
          'content-type': 'application/json',
        })
        seen.add(status)
        expect([201, ...refusals]).toContain(status)
      }),
      { numRuns, examples: oneOfEach.map((blocks) => [JSON.stringify(blocks)]) },
    )
    expect([...seen]).toEqual(expect.arrayContaining([201, 400, 404]))
  })

  it('names a widget, or is refused', async () => {
    const seen = new Set<number>()
    const name = fc.oneof(fc.nat(1), fc.string({ unit: 'binary', minLength: 1 }), fc.webPath(), fc.uuid())
    const below = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('', '/widget.js') }, fc.string({ unit: 'binary' }).map(encoded))
    const headers = fc.record({ origin: header, 'if-none-match': header, accept: header }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('polls', 'widgets'), name, below, headers, async (path, id, below, headers) => {
        const hash = typeof id === 'number' ? hashes[id] : encoded(id)
        const { status } = await service.visitor.get(`/${path}/${hash}${below}`, headers)
        seen.add(status)
        expect([200, 304, ...refusals]).toContain(status)
      }),
      {
        numRuns,
        examples: [
          ['polls', 1, '', {}],
          ['widgets', 0, '', {}],
          ['widgets', 0, '/widget.js', {}],
          ['widgets', 0, '/widget.js', { 'if-none-match': '*' }],
          ['widgets', unknown, '', {}],
        ],
      },
    )
    expect([...seen]).toEqual(expect.arrayContaining([200, 304, 404]))
  })
})
