import { afterAll, describe, expect, it } from '@jest/globals'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'

const parser = threadedMailParser(1)
afterAll(() => parser.close())

const bytes = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')
const whole = bytes(
  'From: "A, B" <A@Caseway.test>',
  'To: c@caseway.test, Group: d@caseway.test, e@caseway.test;',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <1@caseway.test>',
  'In-Reply-To: <0@caseway.test>',
  'References: <a@caseway.test> <0@caseway.test>',
  'Date: Mon, 2 Nov 2026 10:00:00 +0100',
  'X-Priority: 1',
  'List-Id: <list.caseway.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  '<p>Hello</p>',
  '--b',
  'Content-Type: application/pdf; name="a.pdf"',
  'Content-Disposition: attachment; filename="a.pdf"',
  'Content-Transfer-Encoding: base64',
  'Content-ID: <part>',
  '',
  'aGVsbG8=',
  '--b--',
  '',
)

describe('the parser', () => {
  it('reads a message', async () => {
    expect(await parser.message(whole)).toEqual({
      from: { address: 'a@caseway.test', name: 'A, B' },
      to: ['c', 'd', 'e'].map((name) => ({ address: `${name}@caseway.test`, name: '' })),
      ...{ cc: [], subject: 'Grüße', messageId: '1@caseway.test', inReplyTo: '0@caseway.test' },
      references: ['a@caseway.test', '0@caseway.test'],
      text: 'Hello',
      html: expect.stringContaining('<p>Hello</p>'),
      attachments: [{ position: 0, filename: 'a.pdf', mime: 'application/pdf', size: 5, contentId: 'part' }],
      ...{ date: new Date('2026-11-02T09:00:00Z'), priority: 2, report: null, autoKind: 'list' },
    })
  })

  it('reads headers alone', async () => {
    const [first, second] = await parser.headers([whole.subarray(0, whole.indexOf('MIME-')), bytes('Subject: x\0y', '', '')])
    expect(first).toMatchObject({ from: { address: 'a@caseway.test' }, messageId: '1@caseway.test' })
    expect(first?.get('List-ID')).toEqual(['<list.caseway.test>'])
    expect(second).toMatchObject({ from: null, messageId: null, subject: 'x\u{FFFD}y' })
  })

  it('decodes the encoded words of every header, also in folded lines', async () => {
    const written = 'X-Office: =?utf-8?Q?Caf=C3=A9?=\r\n =?utf-8?B?w6k=?= and more =?utf-8?Q?=00=0D=0A?= =? text\r\n\r\n'
    const [read] = await parser.headers([Buffer.from(written)])
    expect(read?.get('X-Office')).toEqual(['Caféé and more \u{FFFD}\r\n =? text'])
  })

  it.each([
    ['Your message of "Mon, 2 Nov 2026 10:00:00 +0100" <0@caseway.test>', '0@caseway.test'],
    ['"Your message of Monday" by a@caseway.test <0@caseway.test>', '0@caseway.test'],
    ['<a@caseway.test> (not <b@caseway.test>)', 'a@caseway.test'],
    ['<without-a-domain>', 'without-a-domain'],
    ['=?utf-8?q?=3C0=40caseway=2Etest=3E?=', '0@caseway.test'],
    ['0@caseway.test', '0@caseway.test'],
    ['word', null],
    ['Your message of Monday', null],
  ])('reads which message is answered from %s', async (written, inReplyTo) => {
    expect(await parser.message(bytes(`In-Reply-To: ${written}`, '', 'x'))).toMatchObject({ inReplyTo })
    expect((await parser.headers([bytes(`In-Reply-To: ${written}`, '', '')]))[0]).toMatchObject({ inReplyTo })
  })

  it.each([
    ['a@XN--BCHER-kva.example', 'a@xn--bcher-kva.example'],
    ['a@Bücher.example', 'a@xn--bcher-kva.example'],
    ['ł@bücher.example', 'ł@xn--bcher-kva.example'],
    ['a@caseway.test/ü', 'a@caseway.test/ü'],
    ['a@ü^.example', 'a@ü^.example'],
  ])('reads the domain of %s in ASCII', async (written, address) => {
    expect(await parser.message(Buffer.from(`From: <${written}>\r\nCc: Group: <${written}>;\r\n\r\nx`))).toMatchObject({
      from: { address },
      cc: [{ address }],
    })
    expect(await parser.headers([Buffer.from(`From: <${written}>\r\n\r\n`)])).toMatchObject([{ from: { address } }])
  })

  it('reads references without brackets where none has brackets, and no other words', async () => {
    const read = async (written: string) => (await parser.message(bytes(`References: ${written}`, '', 'x')))?.references
    expect(await read('a@caseway.test 0@caseway.test word')).toEqual(['a@caseway.test', '0@caseway.test'])
    expect(await read('<a@caseway.test> word')).toEqual(['a@caseway.test'])
  })

  describe('of HTML without a text beside it', () => {
    const read = (html: string) => parser.message(bytes('Content-Type: text/html', '', html, ''))
    const image = (size: number) => Buffer.alloc(size, 'x').toString('base64').replace(/.{76}/g, '$&\r\n')
    const urls = (size: number) => [
      `<img src="data:image/png;base64,${image(size)}" alt="">`,
      `<img src='data:image/svg+xml,<svg width="${'1'.repeat(size)}"/>'>`,
      `<img src=data:image/png;base64,${'A'.repeat(size)}>`,
      `<p style="background: url(data:image/png;base64,${'A'.repeat(size)})">Bye</p>`,
    ]

    it.each([0, 1, 2, 3])('makes a text without images (%i)', async (at) => {
      const html = `<p>Hello</p>${urls(3000)[at]}<p>Anna, "data: 7"</p>`
      const parsed = await read(html)
      expect(parsed?.html).toContain(html.replaceAll('\r', ''))
      expect(parsed?.text).toMatch(/^Hello\s+(Bye\s+)?Anna, "data: 7"\s*$/)
    })

    it.each([0, 1, 2, 3])('drops the images where HTML is too long with them (%i)', async (at) => {
      const parsed = await read(`<p>Hello</p>${urls(1_200_000)[at]}<p>Anna</p>`)
      expect(parsed?.html).toMatch(/^<p>Hello<\/p><(img|p)[^>]{0,50}>(Bye<\/p>)?<p>Anna<\/p>\s*$/)
      expect(parsed?.text).toMatch(/^Hello\s+(Bye\s+)?Anna\s*$/)
    })

    it('makes a text of the beginning of HTML that is too long without images', async () => {
      const parsed = await read(`<p>Hello</p>${'<p>and so on</p>\r\n'.repeat(70_000)}`)
      expect(parsed?.text).toMatch(/^Hello\s+and so on\s+and so on/)
    })

    it('makes no text of elements that are nested too deep, and takes no time for them', async () => {
      const html = '<a><b>'.repeat(160_000)
      const began = Date.now()
      expect(await read(html)).toMatchObject({ text: '', html: expect.stringContaining('<a><b>') })
      expect(Date.now() - began).toBeLessThan(5000)
    })

    it('makes a text of it and of the text parts around it', async () => {
      const part = (type: string, content: string) => ['--b', `Content-Type: text/${type}`, '', content]
      const parts = [...part('plain', 'One'), ...part('html', '<p>Two</p>'), ...part('plain', 'Three')]
      const parsed = await parser.message(bytes('Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', ''))
      expect(parsed?.text).toMatch(/^One\s+Three\s+Two$/)
    })
  })

  it('replaces characters that PostgreSQL does not store', async () => {
    const half = Buffer.from('+2D0-')
    const parsed = await parser.message(Buffer.concat([bytes('Subject: a\0', 'Content-Type: text/plain; charset=utf-7', '', 'x\0'), half]))
    expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud[89a-f]/)
  })

  it.each(['', ';', '; name="a.pdf"'])('reads the message of a file whose Content-Type is "%s"', async (type) => {
    const parts = [
      '--b',
      '',
      'Hello',
      '--b',
      `Content-Type: ${type}`,
      'Content-Disposition: attachment; filename=a.pdf',
      '',
      'x',
      '--b--',
      '',
    ]
    expect(await parser.message(bytes('Content-Type: multipart/mixed; boundary=b', '', ...parts))).toMatchObject({
      text: expect.stringContaining('Hello'),
      attachments: [{ filename: 'a.pdf', mime: 'application/octet-stream', size: 1 }],
    })
  })

  it('has no date where none can be read', async () => {
    expect(await parser.message(bytes('Date: the other day', '', 'x'))).toMatchObject({ date: null })
  })

  it('returns the bytes of files of any size, and counts them', async () => {
    const file = (name: string, size: number) => [
      '--b',
      `Content-Type: application/pdf; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.alloc(size, 'x').toString('base64'),
    ]
    const source = bytes('Content-Type: multipart/mixed; boundary=b', '', ...file('a.pdf', 1_000_000), ...file('b.pdf', 3), '--b--', '')
    const found = await parser.attachments(source, [1, 0])
    expect(found?.map((one) => one && Buffer.from(one).equals(Buffer.alloc(one.length, 'x')) && one.length)).toEqual([3, 1_000_000])
    expect(await parser.message(source)).toMatchObject({
      attachments: [
        { position: 0, filename: 'a.pdf', size: 1_000_000 },
        { position: 1, filename: 'b.pdf', size: 3 },
      ],
    })
  })

  it('transfers the memory of a message only where it is not shared', async () => {
    const text = `Subject: x\r\n\r\n${'x'.repeat(20_000)}`
    const [own, shared] = [Uint8Array.from(Buffer.from(text)), Buffer.from(`${text} and what follows`).subarray(0, text.length)]
    for (const source of [own, shared]) expect(await parser.message(source)).toMatchObject({ subject: 'x' })
    expect([own.byteLength, shared.toString()]).toEqual([0, text])
  })

  it('parses the next message after one that it cannot parse', async () => {
    const parts = Array.from({ length: 20_000 }, () => '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n').join('')
    const many = bytes('Content-Type: multipart/mixed; boundary=b', '', `${parts}--b--`, '')
    const nested = Buffer.from(
      Array.from({ length: 2000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(''),
    )
    await Promise.all([many, nested].map((source) => parser.message(source)))
    expect(await parser.message(whole)).toMatchObject({ subject: 'Grüße' })
  })
})
