import { afterAll, expect, it } from '@jest/globals'
import answerTo from '../../src/parsing/parsing-worker.client.js'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'

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
])('the byte order mark of %s is removed', async (_, source) => {
  const { text = '', html } = (await parser.message(source)) ?? {}
  expect([text, html ?? '']).toEqual([expect.stringMatching(/^Hello(?!.*\uFEFF)/s), expect.not.stringContaining(mark)])
})

it('text parts beside HTML are all shown, in their order and with their lines', async () => {
  const source = message(part('plain', 'One & <b>\r\nnext'), part('html', '<p>Two</p>'), part('plain', 'Three'))
  expect(await answerTo({ source })).toMatchObject({
    html: expect.stringMatching(/>One &amp; &lt;b&gt;\nnext<\/div>.*<p>Two<\/p>.*>Three<\/div>$/s),
    text: expect.stringMatching(/^One & <b>\s+next\s+Three\s+Two$/),
  })
})

it('the plain-text alternative of HTML is not shown beside it', async () => {
  const both = message(part('plain', 'Hello'), part('html', '<p>Hello</p>')).toString().replace('mixed', 'alternative')
  expect(await parser.message(Buffer.from(both))).toMatchObject({ html: expect.stringMatching(/^<p>Hello<\/p>\s*$/) })
})

it.each(['mixed', 'related', 'alternative'])('HTML that is the only text of a multipart/%s message becomes its text', async (subtype) => {
  const image = ['Content-Type: image/png', 'Content-ID: <logo>', '', 'x']
  for (const source of [message(part('html', '<p>Two</p>'), image), message(part('plain', ' '), part('html', '<p>Two</p>'))])
    expect(await answerTo({ source: Buffer.from(source.toString().replace('mixed', subtype)) })).toMatchObject({
      text: 'Two',
      html: expect.stringContaining('<p>Two</p>'),
    })
})

it('a message with too many parts is refused at once, also where they are messages', async () => {
  const parts = Array.from({ length: 20_000 }, () => [
    'Content-Type: message/rfc822',
    'Content-Disposition: attachment',
    '',
    'Subject: x',
    '',
    'y',
  ])
  await expect(answerTo({ source: message(...parts) })).rejects.toThrow('Max allowed child nodes exceeded')
})
