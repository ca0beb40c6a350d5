import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { unavailable } from '@caseway/kit/errors'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { eventually, type HttpClient, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'
import { arrived, newMailbox, officeWithMail, store, type TestMailbox } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'

const { service, files, engine, blobs, stop } = await serviceWithFiles()
const parser = threadedMailParser(1)
afterAll(async () => {
  await stop()
  await parser.close()
})

let here: TestTenant
let box: TestMailbox
let scans: string[]
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  scans = []
  files.scan = async (bytes) => {
    scans.push(bytes.toString())
    return bytes.includes('VIRUS') ? { status: ScanStatus.INFECTED, error: 'A-Virus' } : { status: ScanStatus.OK }
  }
})

const path = '/mail_received_mysql_message'
const expert = () => service.asExpert(here.expert)
const get = (id: Id, position: number | string, http = expert(), headers = {}) => http.get(`${path}/${id}/attachment/${position}`, headers)

interface Listed {
  readonly MailAttachment: { readonly filename: string; readonly virus_scan_status: string; readonly virus_scan_error: string | null }[]
}
const list = async (id: Id, http = expert()) => (await http.get<Listed>(`${path}/${id}/attachment`)).body.MailAttachment
const isClosed = async (id: Id, http: HttpClient) => {
  const answers = await Promise.all([http.get(`${path}/${id}/attachment`), ...[0, 1, 99].map((position) => get(id, position, http))])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
}

interface Part {
  readonly type?: string
  /** Null for a part without one. */
  readonly name?: string | null
  readonly id?: string
  readonly text: string
}

/** A message with these attachments. */
async function message(parts: readonly Part[], folder: 'CLIENTS' | 'OTHERS' = 'CLIENTS', html = '<p>Hello</p>'): Promise<Id> {
  const lines = [
    ...['From: a@caseway.test', 'Subject: Files', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...['--b', 'Content-Type: text/html', '', html],
    ...parts.flatMap(({ type = 'text/plain', name = 'a.txt', id, text }) => [
      ...['--b', `Content-Type: ${type}`, `Content-Disposition: attachment${name === null ? '' : `; filename="${name}"`}`],
      'Content-Transfer-Encoding: base64',
      ...(id ? [`Content-ID: <${id}>`] : []),
      ...['', Buffer.from(text).toString('base64')],
    ]),
    ...['--b--', ''],
  ]
  const source = Buffer.from(lines.join('\r\n'))
  const parsed = await parser.message(Buffer.from(source))
  const one = { ...arrived(box, folder, { bytes: source.toString() }), parsed }
  await blobs.put(one.blobKey, source)
  await store(engine, box, one)
  const found = await engine.db.read(office(here.customerId)).mailReceivedMessage.findFirstOrThrow({ where: { blobKey: one.blobKey } })
  return found.id
}

describe('GET /rest/mail_received_mysql_message/{id}/attachment', () => {
  it('lists the attachments with the states of their scans', async () => {
    const id = await message([
      { type: 'application/pdf', name: 'Umowa.pdf', text: 'one' },
      { type: 'image/png', name: 'b.png', id: 'logo', text: 'three' },
    ])
    const pending = { virus_scan_status: 'pending', virus_scan_error: null }
    expect(await list(id)).toEqual([
      { position: '0', filename: 'Umowa.pdf', mime: 'application/pdf', size: '3', content_id: null, ...pending },
      { position: '1', filename: 'b.png', mime: 'image/png', size: '5', content_id: 'logo', ...pending },
    ])
    expect(await list(await message([]))).toEqual([])
  })

  it('gives unnamed attachments a name: a message by its subject, others by their media type', async () => {
    const parts = [
      { type: 'message/rfc822', text: 'Subject: =?utf-8?q?Umowa_=C5=82?=\r\n\r\nHello' },
      { type: 'message/rfc822', text: 'From: a@caseway.test\r\n\r\nHello' },
      { type: 'message/rfc822', text: `Subject: A header without an end\r\n${'X: y\r\n'.repeat(500_000)}\r\n` },
      ...['application/pdf', 'application/x-of-nobody'].map((type) => ({ type, text: 'one' })),
    ]
    const id = await message(parts.map((part) => ({ ...part, name: null })))
    const names = ['Umowa ł.eml', 'attachment.eml', 'A header without an end.eml', 'attachment.pdf', 'attachment']
    expect((await list(id)).map(({ filename }) => filename)).toEqual(names)
    expect((await get(id, 3)).headers.get('content-disposition')).toBe('attachment; filename=attachment.pdf')
  })

  it('shows the names of the downloads, without characters that hide the kind of a file', async () => {
    const names = ['annex\u202efdp.exe', '../../etc/passwd', 'a\u2066.pdf']
    const id = await message(names.map((name) => ({ name, text: 'one' })))
    expect((await list(id)).map(({ filename }) => filename)).toEqual(['annexfdp.exe', '....etcpasswd', 'a.pdf'])
  })

  it('is not found for whoever does not see the message', async () => {
    const id = await message([{ text: 'one' }], 'OTHERS')
    await isClosed(id, service.asExpert(here.specialist))
    await isClosed(id, service.asExpert(officeWithMail(service).expert))
    expect(scans).toEqual([])
  })
})

describe('GET /rest/mail_received_mysql_message/{id}/attachment/{position}', () => {
  it('gives the bytes as a file that no browser runs', async () => {
    const id = await message([{ text: 'first' }, { type: 'text/html', name: '../ä\u202eb.html', text: '<script>second</script>' }])
    const { status, headers, text } = await get(id, 1)
    expect([status, text]).toEqual([200, '<script>second</script>'])
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-type': 'text/html', 'content-length': '23', 'accept-ranges': 'bytes', 'content-security-policy': 'sandbox' },
      ...{ 'x-content-type-options': 'nosniff', 'content-disposition': expect.stringMatching(/^attachment; filename=/) },
    })
    expect(headers.get('content-disposition')).toMatch(/filename\*=UTF-8''\.\.%C3%A4b\.html$/)
    expect((await get(id, 0)).text).toBe('first')
  })

  it('has its own images in the body', async () => {
    const id = await message([{ type: 'image/png', id: 'logo@x', text: 'an image' }], 'CLIENTS', '<img src="cid:logo@x">')
    const { text } = await expert().get(`${path}/${id}/body`)
    const [, address = ''] = /<img src="\/rest(.+?)"/.exec(text) ?? []
    const image = await expert().get(address)
    expect([image.status, image.headers.get('content-type'), image.text]).toEqual([200, 'image/png', 'an image'])
  })

  it('replaces an invalid media type', async () => {
    const id = await message([{ type: 'what ever', text: 'a' }])
    await service.database.rows("UPDATE mail_attachments SET mime = 'what: ever' WHERE message_id = $1", [id])
    expect((await get(id, 0)).headers.get('content-type')).toBe('application/octet-stream')
  })

  it('serves ranges, 304 for an unchanged file, and 416 for a range beyond its end', async () => {
    const id = await message([{ text: '0123456789' }])
    const part = await get(id, 0, expert(), { range: 'bytes=2-4' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
    expect((await get(id, 0, expert(), { range: 'bytes=10-' })).status).toBe(416)
    const etag = part.headers.get('etag') as string
    expect((await get(id, 0, expert(), { 'if-none-match': etag })).status).toBe(304)
    expect((await get(id, 0, expert(), { range: 'bytes=2-4', 'if-range': '"another"' })).status).toBe(200)
  })

  it('is 404 for a position without an attachment', async () => {
    const id = await message([{ text: 'one' }])
    for (const position of [1, '00', '-1', 'x', '99999']) expect((await get(id, position)).status).toBe(404)
  })

  it('is scanned once, when it is first requested', async () => {
    const id = await message([{ text: 'one' }, { text: 'two' }])
    expect(scans).toEqual([])
    await Promise.all([get(id, 1), get(id, 1), get(id, 1)])
    expect((await get(id, 1)).status).toBe(200)
    expect(scans).toEqual(['two'])
    expect((await list(id)).map(({ virus_scan_status: status }) => status)).toEqual(['pending', 'ok'])
  })

  it('is 409 for what is infected, and nothing of it is kept', async () => {
    const id = await message([{ text: 'a VIRUS' }])
    for (let i = 0; i < 2; i++) {
      const { status, body } = await get(id, 0)
      expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'FILE_NOT_CLEAN' })])
    }
    expect(await list(id)).toMatchObject([{ virus_scan_status: 'infected', virus_scan_error: 'A-Virus' }])
    expect(await service.database.rows('SELECT blob_key FROM mail_attachments WHERE message_id = $1', [id])).toEqual([{ blob_key: null }])
  })

  it('is 409 while the scanner is away, and there soon after it is back', async () => {
    const scan = files.scan
    files.scan = async () => {
      throw unavailable(new Error('The scanner is away.'))
    }
    const id = await message([{ text: 'one' }])
    const { status, body } = await get(id, 0)
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'FILE_NOT_CLEAN' })])
    files.scan = scan
    await eventually(async () => expect(await list(id)).toMatchObject([{ virus_scan_status: 'ok' }]))
    expect((await get(id, 0)).text).toBe('one')
  })

  it('is extracted and scanned again where the storage has lost its bytes', async () => {
    const id = await message([{ text: 'one' }])
    await get(id, 0)
    const [row] = await service.database.rows<{ blob_key: string }>('SELECT blob_key FROM mail_attachments WHERE message_id = $1', [id])
    await blobs.remove(row?.blob_key as string)
    expect((await get(id, 0)).text).toBe('one')
    expect(scans).toEqual(['one', 'one'])
  })

  it('is 409 where the storage has lost the message', async () => {
    const id = await message([{ text: 'one' }])
    const [row] = await service.database.rows<{ blob_key: string }>('SELECT blob_key FROM mail_received_messages WHERE id = $1', [id])
    await blobs.remove(row?.blob_key as string)
    expect(await get(id, 0)).toMatchObject({ status: 409, body: { errorCode: 'MAIL_MESSAGE_BYTES_LOST' } })
  })

  it('is 404 after its message was deleted for good', async () => {
    const id = await message([{ text: 'one' }])
    await get(id, 0)
    await expert().delete(`${path}/${id}`)
    expect((await get(id, 0)).status).toBe(200)
    await expert().delete(`${path}/${id}`)
    await isClosed(id, expert())
  })
})
