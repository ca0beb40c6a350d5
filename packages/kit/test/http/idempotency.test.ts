import { randomBytes } from 'node:crypto'
import { platform } from '@caseway/kit/database'
import { conflict } from '@caseway/kit/errors'
import { createSecrets } from '@caseway/kit/secrets'
import { testTechnical, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import Type from 'typebox'
import { type ServedNotes, serveNotes } from './support/notes.js'

let served: ServedNotes
const broken = { times: 0 }
const slow = { begun: Promise.withResolvers<void>(), leave: Promise.withResolvers<void>() }
beforeAll(async () => {
  served = await serveNotes((db) => [
    (app) => {
      app.post('/broken', async () => {
        broken.times++
        await db.write(platform, (tx) => tx.note.create({ data: { customerId: 1n, title: `broken ${broken.times}` } }))
        if (broken.times === 1) throw new Error('a fault of ours')
        return { times: broken.times }
      })
      app.post('/refused', async () => {
        await db.query(platform, CompiledQuery.raw('SELECT 1'))
        throw conflict('NEVER', 'Never.')
      })
      for (const path of ['/here', '/there']) app.post(path, async () => ({ path, at: Math.random() }))
      app.post('/headers', async (_, reply) => {
        reply.code(202).header('etag', '"7"').header('location', 'https://there.example')
        return { at: Math.random() }
      })
      app.post('/claimed', { config: { idempotency: 'claimed' } }, async ({ caller }) => {
        const { customerId } = caller as { customerId: bigint }
        await db.write({ customerId }, (tx) => tx.note.create({ data: { customerId, title: 'claimed' } }))
        return { seen: await served.rows('SELECT title FROM notes WHERE customer_id = $1', [customerId]), at: Math.random() }
      })
      app.post('/secret', { config: { idempotency: 'none' } }, async () => ({ secret: Math.random() }))
      app.post('/sealed', { config: { sealedBy: sealer } }, async ({ query }) => {
        if ('wrong' in (query as object)) throw conflict('NEVER', 'Never.')
        return { secret: 'canary', at: Math.random() }
      })
      app.register(async (forms) => {
        forms.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, text, done) => done(null, text))
        forms.post('/text', async ({ body }) => ({ body, at: Math.random() }))
      })
      app.post('/checked', { schema: { body: Type.Object({ n: Type.Integer() }) } }, async ({ body }) => body)
      app.post('/nothing', async (_, reply) => void reply.code(204))
      app.post('/sends', async (_, reply) => reply.send({ status: 'OK' }))
      app.post('/slow', async () => {
        slow.begun.resolve()
        await slow.leave.promise
        return { done: true }
      })
    },
  ])
})
afterAll(() => served.stop())

const sealer = createSecrets('notes', { secret: randomBytes(32).toString('base64'), secretPrevious: [] }).sealer('answers')
const office = () => testTenant(served.issuer)
const key = (value: string) => ({ 'idempotency-key': value })
const note = (title: string) => ({ Note: { title } })

describe('an Idempotency-Key', () => {
  it('replays the first answer, byte for byte, and has one effect', async () => {
    const { expert, customerId } = office()
    const http = served.asExpert(expert)
    const first = await http.post('/note', note('Once'), key('a'))
    const again = await http.post('/note', note('Once'), key('a'))
    expect(again.text).toBe(first.text)
    expect([again.status, again.headers.get('location')]).toEqual([201, first.headers.get('location')])
    expect(await served.rows('SELECT title FROM notes WHERE customer_id = $1', [customerId])).toEqual([{ title: 'Once' }])
  })

  it('with another body is 409', async () => {
    const http = served.asExpert(office().expert)
    await http.post('/note', note('One'), key('a'))
    const { status, body } = await http.post('/note', note('Two'), key('a'))
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'IDEMPOTENCY_KEY_REUSED' })])
  })

  it('is separate for each caller', async () => {
    const { expert, trainee } = office()
    await served.asExpert(expert).post('/note', note('One'), key('a'))
    expect((await served.asExpert(trainee).post('/note', note('Two'), key('a'))).status).toBe(201)
  })

  it('is separate for each path', async () => {
    const http = served.asExpert(office().expert)
    const here = await http.post('/here', {}, key('a'))
    expect((await http.post('/there', {}, key('a'))).body).toMatchObject({ path: '/there' })
    expect((await http.post('/here', {}, key('a'))).text).toBe(here.text)
    expect((await http.post('/here', {}, key('b'))).text).not.toBe(here.text)
    expect((await http.post('/here', {})).text).not.toBe(here.text)
  })

  it('with equivalent JSON in other bytes is 409, too, and the first answer stays', async () => {
    const http = served.asExpert(office().expert)
    const { text } = await http.post('/here', '{"a":1}', key('a'))
    expect((await http.post('/here', '{ "a": 1 }', key('a'))).status).toBe(409)
    expect((await http.post('/here', undefined, key('a'))).status).toBe(409)
    expect((await http.post('/here', '{"a":1}', key('a'))).text).toBe(text)
  })

  it('with another query is 409, and the first answer stays', async () => {
    const http = served.asExpert(office().expert)
    const { text } = await http.post('/here?customer_id=1', {}, key('a'))
    for (const path of ['/here?customer_id=2', '/here', '/here?customer_id=1&more']) {
      expect(await http.post(path, {}, key('a'))).toMatchObject({ status: 409, body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } })
    }
    expect((await http.post('/here?customer_id=1', {}, key('a'))).text).toBe(text)
  })

  it('is compared by the bytes of a body that is not JSON', async () => {
    const http = served.asExpert(office().expert)
    const post = (text: string) => http.request('POST', '/text', text, { 'content-type': 'text/plain', ...key('a') })
    const first = await post('one')
    expect(first.body).toMatchObject({ body: 'one' })
    expect((await post('two')).status).toBe(409)
    expect((await post('one')).text).toBe(first.text)
  })

  it('of a `claimed` route is committed outside of the transactions of the handler', async () => {
    const http = served.asExpert(office().expert)
    const first = await http.post('/claimed', {}, key('a'))
    expect(first.body).toMatchObject({ seen: [{ title: 'claimed' }] })
    expect((await http.post('/claimed', {}, key('a'))).text).toBe(first.text)
  })

  it('is ignored by a route that answers with a secret, and nothing is stored', async () => {
    const { expert } = office()
    const http = served.asExpert(expert)
    const first = await http.post('/secret', {}, key('a'))
    expect((await http.post('/secret', {}, key('a'))).text).not.toBe(first.text)
    expect(await served.rows('SELECT FROM kit.idempotency_key WHERE caller LIKE $1', [`employee:${expert.userId}@%`])).toEqual([])
  })

  it.each(['', '?wrong=1'])('replays an answer with a secret, which is stored encrypted (%s)', async (query) => {
    const { expert } = office()
    const http = served.asExpert(expert)
    const sent = () => http.post(`/sealed${query}`, {}, key('a'))
    const [first, again] = [await sent(), await sent()]
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(first.body).toMatchObject(query ? { errorCode: 'NEVER' } : { secret: 'canary' })
    const kept = await served.rows<{ body: string }>('SELECT body FROM kit.idempotency_key WHERE caller LIKE $1', [
      `employee:${expert.userId}@%`,
    ])
    expect(kept).toHaveLength(1)
    for (const text of [kept[0]?.body ?? '', Buffer.from(kept[0]?.body ?? '', 'base64').toString()])
      expect(text).not.toMatch(/canary|NEVER/)
  })

  it('replays status and headers, with a new request id', async () => {
    const http = served.asExpert(office().expert)
    const sent = async () => {
      const { status, text, headers } = await http.post('/headers', {}, key('a'))
      const { 'x-request-id': id, date: _, ...others } = Object.fromEntries(headers)
      return { id, answer: { status, text, headers: others } }
    }
    const [first, again] = [await sent(), await sent()]
    expect(first.answer).toMatchObject({ status: 202, headers: { etag: '"7"', location: 'https://there.example' } })
    expect(again.answer).toEqual(first.answer)
    expect(again.id).not.toBe(first.id)
  })

  it('replays an answer without a body', async () => {
    const http = served.asExpert(office().expert)
    for (const headers of [{}, key('a'), key('a')]) {
      const { status, text } = await http.post('/nothing', {}, headers)
      expect({ status, text }).toEqual({ status: 204, text: '' })
    }
  })

  it('is 500 where the handler sends its answer instead of returning it', async () => {
    const http = served.asExpert(office().expert)
    served.lines.length = 0
    expect((await http.post('/sends', {})).body).toEqual({ status: 'OK' })
    expect(served.lines.join()).not.toContain('"error"')
    for (const _ of ['first', 'again']) expect((await http.post('/sends', {}, key('a'))).body).toEqual({ status: 'OK' })
    expect(served.lines.join()).toContain('sent its answer instead of returning it')
  })

  it('is read after token and role were checked', async () => {
    const { expert } = office()
    const http = served.asExpert(expert)
    const first = await http.post('/here', {}, key('a'))
    expect((await http.as(undefined).post('/here', {}, key('a'))).status).toBe(401)
    expect((await served.asExpert(testTechnical(served.issuer, expert.userId)).post('/here', {}, key('a'))).status).toBe(403)
    expect((await http.post('/here', {}, key('a'))).text).toBe(first.text)
  })

  it('replays a refusal, also that of an invalid body', async () => {
    const http = served.asExpert(office().expert)
    await http.post('/note', note('Taken'))
    for (const [path, body, status] of [
      ['/note', note('Taken'), 409],
      ['/note', { Note: { rank: 'x' } }, 400],
      ['/checked', { n: 'x' }, 400],
      ['/refused', {}, 409],
    ] as const) {
      const first = await http.post(path, body, key(`${path} ${status}`))
      expect(first.status).toBe(status)
      expect((await http.post(path, body, key(`${path} ${status}`))).text).toBe(first.text)
    }
  })

  it('does not replay an internal error, and rolls back its writes', async () => {
    const http = served.asExpert(office().expert)
    expect((await http.post('/broken', {}, key('a'))).status).toBe(500)
    expect((await http.post('/broken', {}, key('a'))).body).toEqual({ times: 2 })
    expect((await http.post('/broken', {}, key('a'))).body).toEqual({ times: 2 })
    expect(await served.rows("SELECT title FROM notes WHERE title LIKE 'broken%'")).toEqual([{ title: 'broken 2' }])
  })

  it('waits for the first request with it, and then replays its answer', async () => {
    const http = served.asExpert(office().expert)
    const first = http.post('/slow', {}, key('a'))
    await slow.begun.promise
    const second = http.post('/slow', {}, key('a'))
    slow.leave.resolve()
    expect((await second).text).toBe((await first).text)
  })

  it.each(['', 'x'.repeat(256)])('must be 1 to 255 characters', async (value) => {
    const { status, text } = await served.asExpert(office().expert).post('/note', note('A'), key(value))
    expect({ status, text }).toEqual({
      status: 400,
      text: '{"status":"error","errorMessages":{"Idempotency-Key":"must be 1 to 255 characters"}}',
    })
  })

  it('of concurrent requests has one effect and one answer', async () => {
    const { expert, customerId } = office()
    const http = served.asExpert(expert)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => http.post('/note', note(`${i % 5}`), key(`k${i % 5}`))))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    for (const [i, { text }] of answers.entries()) expect(text).toBe(answers[i % 5]?.text)
    expect(await served.rows('SELECT FROM notes WHERE customer_id = $1', [customerId])).toHaveLength(5)
  })
})
