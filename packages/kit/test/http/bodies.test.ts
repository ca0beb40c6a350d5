import { line, required } from '@caseway/kit/fields'
import { action, ok, wrappedBody } from '@caseway/kit/http'
import { testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Served, serve } from './support/served.js'

let served: Served
const received: unknown[] = []
beforeAll(async () => {
  const body = wrappedBody('Note', { title: required(line({ max: 2 ** 21 })) })
  const postNote = { method: 'POST', path: '', operationId: 'postNote', body, answers: { 200: ok } } as const
  served = await serve({ expert: [action({ name: 'Note', path: 'note' }, postNote, async ({ body }) => void received.push(body))] })
})
afterAll(() => served.stop())

const post = (body: unknown, headers?: Record<string, string>) =>
  served.asExpert(testTenant(served.issuer).expert).post('/note', body, headers)

/** Posts raw bytes. */
async function postBytes(body: Uint8Array, headers: Record<string, string>) {
  const { token } = testTenant(served.issuer).expert
  const sent = { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers }, body: new Uint8Array(body) }
  const answer = await fetch(`${served.url}/expert/rest/note`, sent)
  return { status: answer.status, body: await answer.json() }
}

const json = { 'content-type': 'application/json' }
const refused = (why: string) => ({ status: 400, text: `{"status":"error","errorMessages":{"body":"${why}"}}` })

describe('a body', () => {
  it.each([
    '{"Note":',
    '{"Note":{"title":"a"}}}',
    "{'Note':{}}",
    'NaN',
    ' ',
    '{"__proto__":{}}',
    '{"Note":{"constructor":{"prototype":{}}}}',
  ])('%j is refused as JSON', async (body) => {
    const { status, text } = await post(body)
    expect({ status, text }).toEqual(refused('must be valid JSON'))
  })

  it('must be UTF-8', async () => {
    const body = Buffer.from([...Buffer.from('{"Note":{"title":"'), 0xff, ...Buffer.from('"}}')])
    expect(await postBytes(body, json)).toEqual({ status: 400, body: { status: 'error', errorMessages: { body: 'must be UTF-8' } } })
  })

  it('may begin with a byte order mark', async () => {
    expect((await post('\ufeff{"Note":{"title":"a"}}')).status).toBe(200)
    expect(received.at(-1)).toEqual({ title: 'a' })
    expect((await post('\ufeff\ufeff{"Note":{"title":"a"}}')).status).toBe(400)
  })

  it('is accepted with any case and parameters of `application/json`', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;a=b']) {
      expect((await post({ Note: { title: type } }, { 'content-type': type })).status).toBe(200)
      expect(received.at(-1)).toEqual({ title: type })
    }
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'json',
    'application/jsonp',
  ])('of type %s is 415', async (type) => {
    const { status, text } = await post('{"Note":{}}', { 'content-type': type })
    expect({ status, text }).toEqual({
      status: 415,
      text: '{"status":"error","errorMessages":"This media type is not supported here.","errorCode":"UNSUPPORTED_MEDIA_TYPE"}',
    })
  })

  it('of no type is 415', async () => {
    expect(await postBytes(Buffer.from('{"Note":{}}'), {})).toMatchObject({ status: 415, body: { errorCode: 'UNSUPPORTED_MEDIA_TYPE' } })
  })

  it.each(['gzip', 'br', 'identity, gzip', 'a'])('with the content coding %s is 415 with the one that is supported', async (coding) => {
    const { status, headers, body } = await post({ Note: { title: 'a' } }, { 'content-encoding': coding })
    expect([status, headers.get('accept-encoding')]).toEqual([415, 'identity'])
    expect(body).toMatchObject({ errorCode: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it('may have the coding identity; without a body, any coding is accepted', async () => {
    for (const coding of ['identity', 'Identity'])
      expect((await post({ Note: { title: coding } }, { 'content-encoding': coding })).status).toBe(200)
    expect((await post(undefined, { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  it('that is missing or empty is refused as a missing wrapper', async () => {
    const needed = { status: 'error', errorMessages: { Note: 'is required' } }
    expect((await post(undefined)).body).toEqual(needed)
    expect((await post('', json)).body).toEqual(needed)
  })

  it('may have a mebibyte, and one byte more is 413', async () => {
    const frame = JSON.stringify({ Note: { title: '' } }).length
    const title = 'x'.repeat(2 ** 20 - frame)
    expect((await post({ Note: { title } })).status).toBe(200)
    const { status, text } = await post({ Note: { title: `${title}x` } })
    expect({ status, text }).toEqual({
      status: 413,
      text: '{"status":"error","errorMessages":"The request is too large.","errorCode":"TOO_LARGE"}',
    })
  })

  it('of unknown length is 413 as soon as it exceeds the limit', async () => {
    const { token } = testTenant(served.issuer).expert
    const body = new Blob(['x'.repeat(2 ** 21)]).stream()
    const headers = { authorization: `Bearer ${token}`, ...json }
    const answer = await fetch(`${served.url}/expert/rest/note`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ errorCode: 'TOO_LARGE' })])
  })
})
