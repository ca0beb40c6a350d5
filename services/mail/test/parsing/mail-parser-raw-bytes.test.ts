import { afterAll, describe, expect, it } from '@jest/globals'
import answerTo from '../../src/parsing/parsing-worker.client.js'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'

const parser = threadedMailParser(1)
afterAll(() => parser.close())

describe('the parser, of a header in raw bytes', () => {
  const polish = { 'iso-8859-2': [0xb1, 0xea, 0xb3, 0xf3], 'windows-1250': [0xb9, 0xea, 0xb3, 0xf3], 'utf-8': Buffer.from('ąęłó') }
  const multipart = (charset: string) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset="${charset}"\r\n\r\nx\r\n--b--\r\n`
  const single = (charset: string) => `Content-Type: text/plain; charset=${charset}\r\n\r\nx\r\n`
  const message = (written: Iterable<number>, rest: string) => {
    const text = Buffer.from([...written])
    return Buffer.concat([Buffer.from('From: "'), text, Buffer.from('" <a@caseway.test>\r\nSubject: '), text, Buffer.from(`\r\n${rest}`)])
  }
  const read = { from: { address: 'a@caseway.test', name: 'ąęłó' }, subject: 'ąęłó' }

  it.each([
    ['utf-8', 'iso-8859-2', single],
    ['iso-8859-2', 'iso-8859-2', single],
    ['windows-1250', 'windows-1250', single],
    ['iso-8859-2', 'iso-8859-2', multipart],
  ] as const)('takes those that are %s for it, where the text is %s (%#)', async (written, charset, rest) => {
    expect(await parser.message(message(polish[written], rest(charset)))).toMatchObject({
      ...read,
      text: expect.stringMatching(/^x\s*$/),
    })
  })

  const fileOf = (charset: string, type: string, disposition: string) =>
    Buffer.concat([
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nx\r\n--b\r\n`,
      ),
      Buffer.from(
        `Content-Type: application/pdf; name="${type}"\r\nContent-Disposition: attachment${disposition}\r\n\r\nx\r\n--b--\r\n`,
        'latin1',
      ),
    ])
  const raw = (charset: keyof typeof polish) => `${Buffer.from([...polish[charset]]).toString('latin1')}.pdf`

  it.each([
    ['utf-8', 'iso-8859-2', 'ąęłó.pdf'],
    ['iso-8859-2', 'iso-8859-2', 'ąęłó.pdf'],
    ['windows-1250', 'windows-1250', 'ąęłó.pdf'],
    ['iso-8859-2', 'utf-8', '±ê³ó.pdf'],
    ['iso-8859-2', 'x-unknown', '±ê³ó.pdf'],
  ] as const)('and of files takes names that are %s for it, where the text is %s', async (written, charset, filename) => {
    for (const disposition of ['', `; filename="${raw(written)}"`])
      expect(await parser.message(fileOf(charset, raw(written), disposition))).toMatchObject({ attachments: [{ filename }] })
  })

  it('leaves encoded file names unchanged', async () => {
    const named = async (disposition: string) =>
      (await parser.message(fileOf('iso-8859-2', raw('iso-8859-2'), `; ${disposition}`)))?.attachments[0]?.filename
    expect(await named("filename*=utf-8''%C3%A9.pdf")).toBe('é.pdf')
    expect(await named('filename="=?iso-8859-1?Q?=E9?=.pdf"')).toBe('é.pdf')
  })

  it('decodes each line separately, also of headers alone', async () => {
    const header = Buffer.concat([
      Buffer.from('X-Other: '),
      Buffer.from('ł'),
      Buffer.from('\r\n'),
      message(polish['iso-8859-2'], single('iso-8859-2')),
    ])
    const [found] = await parser.headers([header])
    expect(found).toMatchObject(read)
    expect(found?.get('x-other')).toEqual(['ł'])
  })

  it('leaves text unchanged whose charset is unknown or not named', async () => {
    for (const rest of [single('x-unknown'), '\r\nx'])
      expect((await parser.message(message(polish['iso-8859-2'], rest)))?.subject).toContain('\u{FFFD}')
  })
})

describe('the parser, of a text that names no charset', () => {
  const words = Buffer.from([0xb1, 0xea, 0xb3, 0xf3])
  const html = (head: string) => Buffer.concat([Buffer.from(`<html><head>${head}</head><p>`), words, Buffer.from('</p></html>')])
  const single = (head: string) => Buffer.concat([Buffer.from('Content-Type: text/html\r\n\r\n'), html(head)])
  const within = (head: string, first = 'Content-Type: text/plain') => {
    const [before, after] = [`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${first}\r\n\r\nx\r\n--b\r\n`, '\r\n--b--\r\n']
    return Buffer.concat([Buffer.from(before), single(head), Buffer.from(after)])
  }
  const encoded = (encoding: string, head: string) =>
    Buffer.from(`Content-Type: text/html\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${html(head).toString('base64')}`)

  it.each([
    ['of its own, in HTML', single('<meta charset="iso-8859-2">')],
    ['of its own, in older HTML', single('<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-2">')],
    ['of its own, beside another part', within("<meta charset='iso-8859-2'>", 'Content-Type: text/plain; charset=utf-8')],
    ['of its own, in base64', encoded('base64', '<meta charset="iso-8859-2">')],
    ['of the part beside it', within('', 'Content-Type: text/plain; charset="iso-8859-2"')],
  ])('is decoded in the one %s', async (_, source) => {
    expect(await answerTo({ source })).toMatchObject({ html: expect.stringContaining('<p>ąęłó</p>') })
  })

  it('is UTF-8 where it is valid UTF-8, and otherwise keeps its readable characters', async () => {
    const utf8 = Buffer.from('Content-Type: text/html\r\n\r\n<meta charset="iso-8859-2"><p>ąęłó</p>')
    expect(await answerTo({ source: utf8 })).toMatchObject({ html: expect.stringContaining('<p>ąęłó</p>') })
    for (const head of ['', '<meta charset="x-unknown">'])
      expect(await answerTo({ source: single(head) })).toMatchObject({ html: expect.stringContaining('<p>\u{FFFD}') })
  })

  it.each([
    ['UTF-8, where it is that', 'x', Buffer.from('ąęłó'), 'ąęłó'],
    ['its own, in HTML', '<meta charset="iso-8859-2">', words, 'ąęłó'],
    // As browsers do (encoding.spec.whatwg.org, 4.2).
    ['windows-1252', 'x', Buffer.from('Caf\xe9', 'latin1'), 'Café'],
  ])('is, where it names US-ASCII but has other characters, decoded in %s', async (_, head, text, read) => {
    const source = Buffer.concat([Buffer.from(`Content-Type: text/html; charset=US-ASCII\r\n\r\n${head}<p>`), text])
    expect(await answerTo({ source })).toMatchObject({ html: expect.stringContaining(`<p>${read}`) })
  })
})
