import fc from 'fast-check'

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('"\\', '\u2028', '\u0000', '\u0001\u001f\u007f', 'żółć', '😀', '</script>', '', 'a'.repeat(90)),
)
/** The text without what PostgreSQL cannot store. */
const stored = (text: string) => text.replaceAll('\0', '').toWellFormed()

const bigints = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n))
export const zones = fc.constantFrom(
  'Europe/Warsaw',
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Chatham',
  'Africa/Monrovia',
)

/** Times anywhere, and around the changes of offsets in 2026 and 1971, with microseconds. */
const moments = fc
  .tuple(
    fc.oneof(
      fc.date({ min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      fc
        .tuple(
          fc.constantFrom(
            '2026-03-29T01:00:00Z',
            '2026-10-25T01:00:00Z',
            '2026-04-04T15:00:00Z',
            '2026-11-01T04:30:00Z',
            '1972-01-07T00:44:30Z',
          ),
          fc.integer({ min: -7_200_000, max: 7_200_000 }),
        )
        .map(([change, ms]) => new Date(Date.parse(change) + ms)),
    ),
    fc.integer({ min: 0, max: 999 }),
  )
  .map(([moment, microseconds]) => moment.toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`))

export const notes = fc.record({
  client_id: fc.option(bigints),
  title: texts.map(stored),
  rank: fc.option(fc.integer()),
  price: fc.option(fc.integer({ min: 0, max: 10 ** 12 - 1 }).map((cents) => (cents / 100).toFixed(2))),
  day: fc.option(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
  ),
  done: fc.boolean(),
  created: moments,
  modified: moments,
})
export type Note = typeof notes extends fc.Arbitrary<infer Value> ? Value : never

/** How often a property is tried. */
export const numRuns = Number(process.env.FUZZ_RUNS ?? 25)
