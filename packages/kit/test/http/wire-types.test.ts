import { testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createThing,
  type Kind,
  type NullableKind,
  names,
  nullableNames,
  type ServedThings,
  serveThings,
  shownAfter,
} from './support/things.js'

let served: ServedThings
beforeAll(async () => {
  served = await serveThings()
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)

describe('a sent value', () => {
  it.each<[Kind, unknown, unknown]>([
    ['owner', '7', '7'],
    ['owner', 7, '7'],
    ['owner', 9007199254740991, '9007199254740991'],
    ['parent', '7', 7],
    ['parent', 7, 7],
    ['owner', '9007199254740991', '9007199254740991'],
    ['owner', 1e3, '1000'],
    ['name', 'żółć', 'żółć'],
    ['code', 'abcd', 'abcd'],
    ['name', '😀😀😀😀😀', '😀😀😀😀😀'],
    ['name', 'ø\u200f\u200d!', 'ø\u200f\u200d!'],
    ['about', 'one\ntwo\r\n\tthree', 'one\ntwo\r\n\tthree'],
    ['about', '', ''],
    ['colour', 'aBc012', 'aBc012'],
    ['mail', 'a@b.example', 'a@b.example'],
    ['mail', `${'a'.repeat(64)}@b.example`, `${'a'.repeat(64)}@b.example`],
    ['mail', '"a@b"@b.example', '"a@b"@b.example'],
    ['mail', 'Ada@MÜLLER.example', 'Ada@xn--mller-kva.example'],
    ['clocks', 'Europe/Lisbon', 'Europe/Lisbon'],
    ['status', 'new', 'new'],
    ['status', 3, '3'],
    ['status', '3', '3'],
    ['done', 1, '1'],
    ['done', '1', '1'],
    ['done', 0, '0'],
    ['done', '0', '0'],
    ['rank', '-1', '-1'],
    ['rank', 9, '9'],
    ['day', '2024-02-29', '2024-02-29'],
  ])('%s %j is shown as %j', async (field, sent, shown) => expect((await shownAfter(served, { [field]: sent }))[field]).toEqual(shown))

  it.each<[Kind, unknown, string]>([
    ['owner', '07', 'must be an id'],
    ['owner', 1.5, 'must be an id'],
    ['owner', 0, 'must be an id'],
    ['owner', true, 'must be an id'],
    ['owner', 9007199254740992, 'must be an id'],
    ['owner', null, 'must not be null'],
    ['parent', '1e3', 'must be an id'],
    ['name', 'abcdef', 'must be at most 5 characters'],
    ['name', '  ', 'is required'],
    ['name', 5, 'must be text'],
    ['name', 'a\0', 'must not contain NUL characters'],
    ['name', '\ud800', 'must be well-formed Unicode'],
    ['about', 'a\0', 'must not contain NUL characters'],
    ['about', 'x'.repeat(21), 'must be at most 20 characters'],
    ['code', 'a', 'must be at least 2 characters'],
    ['colour', '#abcde', 'must be six hexadecimal digits'],
    ['mail', 'a@', 'must be a valid e-mail address'],
    ['mail', `a@${`${'b'.repeat(60)}.`.repeat(4)}example.com`, 'must be a valid e-mail address'],
    ['mail', `${'a'.repeat(65)}@b.example`, 'must be a valid e-mail address'],
    ['mail', '"a\r\nBcc: c"@b.example', 'must be a valid e-mail address'],
    ['mail', '"a\u2028"@b.example', 'must be a valid e-mail address'],
    ['mail', '"ż"@b.example', 'must be a valid e-mail address'],
    ['mail', 'ż@b.example', 'must be a valid e-mail address'],
    ['mail', 'ż@müller.example', 'must be a valid e-mail address'],
    ['mail', 'a@müller.example/b', 'must be a valid e-mail address'],
    ['mail', 'a@müller．example＠b.example', 'must be a valid e-mail address'],
    ['mail', 'a@mü\u200dller.example', 'must be a valid e-mail address'],
    ['mail', `a@${'ü'.repeat(60)}.example`, 'must be a valid e-mail address'],
    ['clocks', 'Europe/Atlantis', 'must be the IANA name of a time zone'],
    ['clocks', '+01:00', 'must be the IANA name of a time zone'],
    ['status', 'closed', 'must be one of new, 3'],
    ['status', ['new'], 'must be one of new, 3'],
    ['done', true, 'must be 0 or 1'],
    ['done', 'yes', 'must be 0 or 1'],
    ['rank', 10, 'must be an integer from -1 to 9'],
    ['rank', '1.0', 'must be an integer from -1 to 9'],
    ['rank', '', 'must be an integer from -1 to 9'],
    ['day', '2026-02-29', 'must be a date as YYYY-MM-DD'],
  ])('%s %j is refused', async (field, sent, why) => {
    const { status, body } = await createThing(served.asExpert(office().expert), { [field]: sent })
    expect({ status, body }).toEqual({ status: 400, body: { status: 'error', errorMessages: { [field]: why } } })
  })

  it.each(names)('as %s is not coerced from another type', async (field) => {
    for (const sent of [true, false, {}, [], ['1'], [1], 1.5, ' 1', '1 ', '+1', '0x1', '']) {
      const { status, body } = await createThing(served.asExpert(office().expert), { [field]: sent })
      const taken = typeof sent === 'string' && (field === 'about' || (['name', 'code'].includes(field) && sent !== ''))
      expect([sent, status]).toEqual([sent, taken ? 201 : 400])
      if (status === 400) expect(body.errorMessages).toEqual({ [field]: expect.any(String) })
    }
  })

  it.each(names)('as %s is refused as null, and accepted as null where the field is nullable', async (field) => {
    const http = served.asExpert(office().expert)
    const why = field === 'name' ? 'is required' : 'must not be null'
    expect((await createThing(http, { [field]: null })).body).toEqual({ status: 'error', errorMessages: { [field]: why } })
    expect(await shownAfter(served, { [`no_${field}`]: null })).toMatchObject({ [`no_${field}`]: null })
  })
})

describe('invisible characters', () => {
  const controls = Array.from({ length: 0x9f }, (_, i) => i + 1).filter((code) => code < 0x20 || code > 0x7e)
  const separators = [0x2028, 0x2029]
  const directions = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
  const all = [...controls, ...separators, ...directions].map((code) => String.fromCodePoint(code))

  async function refusedIn(field: Kind): Promise<{ refused: string[]; why: unknown[] }> {
    const http = served.asExpert(office().expert)
    const refused: string[] = []
    const why = new Set<unknown>()
    for (const character of all) {
      const { status, body } = await createThing(http, { [field]: `a${character}b` })
      if (status === 201) continue
      expect([character, status, Object.keys(body.errorMessages)]).toEqual([character, 400, [field]])
      refused.push(character)
      why.add((body.errorMessages as Record<string, string>)[field])
    }
    return { refused, why: [...why] }
  }

  it('are all refused in a line', async () => {
    expect(await refusedIn('name')).toEqual({ refused: all, why: ['must be one line without control characters'] })
  })

  it('are refused in a paragraph, except tabs and line breaks', async () => {
    const refused = all.filter((character) => character !== '\t' && character !== '\n')
    const why = ['must not contain control characters other than line breaks and tabs']
    expect(await refusedIn('about')).toEqual({ refused, why })
  })

  it.each(['\r', 'a\r', '\ra', '\n\r', '\r\r\n'])('%j is no line break', async (about) => {
    const { status, body } = await createThing(served.asExpert(office().expert), { about })
    expect([status, Object.keys(body.errorMessages)]).toEqual([400, ['about']])
  })
})

describe('a nullable field', () => {
  it.each<[NullableKind, unknown, unknown]>([
    ['no_owner', 7, '7'],
    ['no_parent', '7', 7],
    ['no_name', '', ''],
    ['no_code', 'ab', 'ab'],
    ['no_about', 'a\nb', 'a\nb'],
    ['no_colour', 'ffffff', 'ffffff'],
    ['no_mail', 'a@b.example', 'a@b.example'],
    ['no_clocks', 'UTC', 'UTC'],
    ['no_status', 3, '3'],
    ['no_done', 0, '0'],
    ['no_rank', 0, '0'],
    ['no_due', '2026-07-01T10:00:00Z', '2026-07-01 12:00:00'],
    ['no_day', '2026-07-01', '2026-07-01'],
  ])('%s shows %j as %j, and may become null again', async (field, sent, shown) => {
    const http = served.asExpert(office().expert)
    const { body } = await createThing(http, { [field]: sent })
    const path = `/thing/${body.id}`
    expect((await http.get(path)).body).toMatchObject({ Thing: { [field]: shown } })
    await http.put(path, { Thing: { [field]: null } })
    expect((await http.get(path)).body).toMatchObject({ Thing: { [field]: null } })
  })

  it('is null when nothing was sent, and never an empty text', async () => {
    const shown = (await shownAfter(served, {})) ?? {}
    for (const field of [...nullableNames, 'shown']) expect([field, shown[field]]).toEqual([field, null])
  })

  it.each(['no_owner', 'no_rank', 'no_due', 'no_day', 'no_status'] as const)(
    '%s is refused as an empty text, which does not mean null',
    async (field) => {
      const { status, body } = await createThing(served.asExpert(office().expert), { [field]: '' })
      expect([status, Object.keys(body.errorMessages)]).toEqual([400, [field]])
    },
  )
})

describe('numbers in an answer', () => {
  it('are strings or integers as declared, and exact', async () => {
    const shown = await shownAfter(served, { owner: '9007199254740991', parent: '9007199254740991', rank: 3, done: 1, status: 3 })
    expect(shown).toMatchObject({ owner: '9007199254740991', parent: 9007199254740991, rank: '3', done: '1', status: '3' })
    expect(shown).toMatchObject({ id: expect.any(String), customer_id: expect.any(String) })
  })
})
