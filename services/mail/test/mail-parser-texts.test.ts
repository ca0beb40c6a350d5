import { afterAll, expect, it } from '@jest/globals'
import { threadedMailParser } from '../src/parsing/threaded-mail-parser.client.js'

const parser = threadedMailParser(1)
afterAll(() => parser.close())

const part = (type: string, text: string) => [`Content-Type: text/${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', text]
const message = (...parts: string[][]) =>
  Buffer.from(['Content-Type: multipart/mixed; boundary=b', '', ...parts.flatMap((lines) => ['--b', ...lines]), '--b--', ''].join('\r\n'))

const mark = '\uFEFF'

it.each([
  ['a text', Buffer.from(part('plain', `${mark}Hello`).join('\r\n'))],
  ['HTML', Buffer.from(part('html', `${mark}<p>Hello</p>`).join('\r\n'))],
  ['a text beside a text', message(part('plain', 'Hello'), part('plain', `${mark}Hello`))],
  ['a text beside HTML', message(part('plain', `${mark}Hello`), part('html', `${mark}<p>Hello</p>`))],
])('the byte order mark of %s is no part of it', async (_, source) => {
  const { text = '', html } = (await parser.message(source)) ?? {}
  expect([text, html ?? '']).toEqual([expect.stringMatching(/^Hello(?!.*\uFEFF)/s), expect.not.stringContaining(mark)])
})
