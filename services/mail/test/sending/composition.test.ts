import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { png } from '@caseway/testing/images'
import { describe, expect, it } from '@jest/globals'
import type { MessageToCompose } from '../../src/composition/message-composer.js'
import { nodemailerMessageComposer } from '../../src/composition/nodemailer-message-composer.client.js'
import { messageToCompose } from '../support/message-to-compose.js'
import { parsers, type Read } from '../support/parsers.js'

const composer = nodemailerMessageComposer()

const compose = async (fields: Partial<MessageToCompose> = {}) => buffer(await composer.compose(messageToCompose(fields)))

const headerOf = (source: Buffer) => source.toString('latin1').split('\r\n\r\n')[0] as string
const linesOf = (source: Buffer) => source.toString('latin1').split('\r\n')

const languages = [
  ...[
    'Zażółć gęślą jaźń',
    'Příliš žluťoučký kůň',
    'Fälligkeit – Grüße',
    'Où êtes-vous, garçon ?',
    '¿Dónde está el niño?',
    'Ação e coração',
  ],
  ...[
    'Съешь ещё этих булок',
    'Щирі вітання, ґанок',
    'Ξεσκεπάζω την ψυχοφθόρα',
    'שלום עליכם',
    'السلام عليكم ورحمة الله',
    'नमस्ते दुनिया',
    'ภาษาไทยง่ายนิดเดียว',
  ],
  ...[
    '日本語のメールです',
    '简体中文邮件',
    '繁體中文郵件',
    '한국어 편지입니다',
    'Tiếng Việt có dấu',
    'Bună ziua, știință',
    'İstanbul’da ığdır çiçeği',
  ],
]

describe.each(Object.entries(parsers))('as %s reads it', (_, parseAll) => {
  const parse = async (source: Buffer) => (await parseAll([source]))[0] as Read

  it.each(languages)('a message has the content that was written: %s', async (text) => {
    const long = `${text} `.repeat(60).trim()
    const [subject, html] = [long.slice(0, 900), `<p>${long}</p><p>${text}</p>`]
    const source = await compose({
      ...{ subject, html, from: { name: text, address: 'anna@office.example' }, to: [{ name: text, address: 'jan@client.example' }] },
      cc: [{ name: `${text}, "quoted" <x@y.example>`, address: 'c@client.example' }],
      attachments: [{ name: `${text}.pdf`, mime: 'application/pdf', content: Readable.from([Buffer.from('%PDF')]) }],
    })
    const read = await parse(source)
    // Python puts spaces between encoded words of names.
    const squeezed = (part: unknown) => JSON.stringify(part).replaceAll(/\s+/g, '')
    const { from, to, cc, files, defects } = read
    expect(squeezed({ subject: read.subject, from, to, cc, files, defects })).toBe(
      squeezed({
        ...{ subject, from: [[text, 'anna@office.example']], to: [[text, 'jan@client.example']] },
        cc: [[`${text}, "quoted" <x@y.example>`, 'c@client.example']],
        files: [[`${text}.pdf`, 'application/pdf', 'attachment', 4]],
        defects: [],
      }),
    )
    expect(read.html.trim()).toBe(html)
    expect(read.text.replaceAll(/\s+/g, ' ').trim()).toBe(`${long} ${text}`.replaceAll(/\s+/g, ' '))
    for (const line of linesOf(source)) expect(line.length).toBeLessThanOrEqual(998)
  })

  it('no line exceeds the limit, however long the written lines are', async () => {
    const html = `<p>${'x'.repeat(100_000)}</p>${'<b>y</b>'.repeat(2000)}`
    const source = await compose({ html })
    expect((await parse(source)).html.trim()).toBe(html)
    for (const line of linesOf(source)) expect(line.length).toBeLessThanOrEqual(998)
    expect(source.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
  })

  it('images within the HTML are parts of the message', async () => {
    const source = await compose({ html: `<p>Hello <img alt="" src="data:image/png;base64,${png.toString('base64')}"></p>` })
    const read = await parse(source)
    const [, cid = ''] = /src="cid:([^"]+)"/.exec(read.html) ?? []
    expect(source.toString()).toContain(`Content-ID: <${cid}>`)
    expect(read.files).toEqual([['image-1.png', 'image/png', 'inline', png.length]])
  })

  it('recipients are exactly those requested, whatever names and subject contain', async () => {
    const bad = [
      'a@evil.example',
      '<a@evil.example>',
      '"',
      '\\',
      '", "x" <a@evil.example>',
      ',',
      ';',
      ':',
      'x: a@evil.example;',
      '(a',
      ')',
      '=?utf-8?Q?a=0d=0ab?=',
    ]
    const worse = [
      '=?utf-8?B?DQpCY2M6IGFAZXZpbC5leGFtcGxl?=',
      'Bcc: a@evil.example',
      '%0d%0aBcc: a@evil.example',
      '\u2028Bcc: a',
      '\u0085Bcc: a',
      'a\u00a0<b@evil.example>',
      '=?',
      '?=',
      '<>',
      '@',
    ]
    const all = [...bad, ...worse]
    const payloads = [
      ...all,
      ...all.map((each) => `Jan ${each}`),
      ...all.map((each) => `${each} Jan`),
      ...all.map((each) => `“ł” ${each}`),
      ...all.map((each) => `${each}${each}`),
      ...all.map((each) => `${'x'.repeat(70)} ${each}`),
    ]
    const more = [
      ...all.map((each) => `'${each}'`),
      ...all.map((each) => `${each}\t${each}`),
      ...all.map((each) => each.repeat(9)),
      ...all.map((each) => `\\${each}`),
    ]
    const tried = [...payloads, ...more].slice(0, 200)
    expect(tried).toHaveLength(200)
    const to = (name: string) => [{ name, address: 'jan@client.example' }]
    const from = (name: string) => ({ name, address: 'anna@office.example' })
    const sources = await Promise.all(tried.map((text) => compose({ subject: text, from: from(text), to: to(text) })))
    const known = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type']
    const wrong = (await parseAll(sources)).flatMap(({ names, ...read }, at) => {
      const reached = [...read.to, ...read.cc, ...read.from].map(([, address]) => address)
      const isRight =
        isDeepStrictEqual(reached, ['jan@client.example', 'anna@office.example']) && names.every((name) => known.includes(name))
      return isRight ? [] : [[tried[at], reached, names]]
    })
    expect(wrong).toEqual([])
  })
})

it('a message discloses neither the host nor bcc recipients', async () => {
  const source = (await compose()).toString()
  expect(source).not.toMatch(/^(?:bcc|received|x-mailer|user-agent|x-originating-ip|sender):/im)
  expect(source.toLowerCase()).not.toContain(hostname().toLowerCase())
  expect(source).toMatch(/^Message-ID: <a\.b@office\.example>\r$/m)
})

it('an answer names its conversation', async () => {
  const header = headerOf(await compose({ inReplyTo: 'b@x.example', references: ['a@x.example', 'b@x.example'] }))
  expect(header).toContain('In-Reply-To: <b@x.example>')
  expect(header.replaceAll(/\r\n\s+/g, ' ')).toContain('References: <a@x.example> <b@x.example>')
})

it('priority, read receipt and Reply-To are set as requested', async () => {
  const plain = headerOf(await compose())
  expect(plain).not.toMatch(/^(?:x-priority|importance|disposition-notification-to|reply-to|in-reply-to|references):/im)
  const header = headerOf(await compose({ priority: 2, requestReadReceipt: true, replyTo: 'office@office.example' }))
  expect(header).toMatch(/^X-Priority: 1/m)
  expect(header).toMatch(/^Importance: High\r$/m)
  expect(header).toMatch(/^Disposition-Notification-To: <?anna@office\.example>?\r$/m)
  expect(header).toMatch(/^Reply-To: office@office\.example\r$/m)
  expect(headerOf(await compose({ priority: 4 }))).toMatch(/^Importance: Low\r$/m)
})

it('nothing that a message names is fetched or read from files', async () => {
  const html = '<img src="file:///etc/passwd"><img src="http://127.0.0.1:9/x.png"><link href="file:///etc/passwd">'
  expect((await compose({ html })).toString()).not.toContain('root:')
})

it('HTML of any depth can be composed', async () => {
  const html = `${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`
  expect((await compose({ html })).length).toBeGreaterThan(html.length)
})

it.each(['data:image/png;base64', 'data:image/gif;x;y', 'data:a;b'])('an image without data is dropped: %s', async (src) => {
  const [read] = await parsers.mailparser([
    await compose({ html: `<p>One</p><img alt="A" src="${src}"><img src=${src}><p>Two, three</p>` }),
  ])
  expect(read?.html.trim()).toBe('<p>One</p><img alt="A" src=""><img src=><p>Two, three</p>')
  expect(read?.files).toEqual([])
})

it.each(['<b>', '<table><tr><td>'])('HTML that is nested too deep has a plain-text alternative: %s', async (nested) => {
  const html = `<p>One</p>${nested.repeat(50_000)}Two`
  const [read] = await parsers.mailparser([await compose({ html, signature: '<p>Anna</p>' })])
  expect(read?.text).toBe('One Two\n\n-- \nAnna')
})

it('fails when an attachment cannot be read', async () => {
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('gone')
  }
  const content = Readable.from(failing(), { objectMode: false })
  const composed = compose({ attachments: [{ name: 'a', mime: 'text/plain', content }] })
  await expect(composed).rejects.toThrow('gone')
})

it('fails as well when it is read after the error of an attachment', async () => {
  const content = new Readable({
    read() {
      this.destroy(new Error('The file is gone.'))
    },
  })
  const composed = await composer.compose(messageToCompose({ attachments: [{ name: 'a.pdf', mime: 'application/pdf', content }] }))
  await new Promise((done) => content.once('close', done))
  await pause()
  await expect(buffer(composed)).rejects.toThrow('The file is gone.')
})
