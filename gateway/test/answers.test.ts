import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Surrounded, startTestGateway } from './support/gateway.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway()
})
afterAll(() => around.stop())

describe('the body of an answer', () => {
  it.each([
    ['ASCII', Buffer.from('{"Tag":{"name":"Urgent\\u017c\\n\u007f"}}\0')],
    ['other text', Buffer.from('{"Tag":{"name":"żółć 😀"}}')],
    ['text with a byte order mark', Buffer.from('\ufeff{"Tag":{"name":"ż\0"}}')],
    ['ISO 8859-2', Buffer.from([0x7b, 0xbf, 0xf3, 0xb3, 0xe6, 0x7d])],
    ['bytes', Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28, 0x80])],
    ['nothing', Buffer.alloc(0)],
    ['65,536 letters', Buffer.alloc(65_536, 'a')],
    ['65,537 letters', Buffer.alloc(65_537, 'a')],
  ])('of %s is passed on unchanged', async (_, bytes) => {
    for (const type of ['application/json; charset=utf-8', 'application/octet-stream']) {
      around.cases.on('/expert/rest/tag/body', (_, response) =>
        response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes),
      )
      const headers = { authorization: `Bearer ${around.tenant.expert.token}` }
      const answer = await fetch(`${around.gateway.expertUrl}/rest/tag/body`, { headers })
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      expect([answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([type, String(bytes.length)])
    }
  })
})
