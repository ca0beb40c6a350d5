import { createHash, randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { hostname } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { type HttpClient, invalidFields, type TestTenant } from '@caseway/testing'
import { file } from '@caseway/testing/fake-files'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { newMailbox, officeWithMail, storeOne } from '../support/mailbox.js'
import { parsers } from '../support/parsers.js'
import { serviceWithFiles } from '../support/service-with-files.js'

const maxBytes = 300_000
const { service, files, engine, blobs, folder, stop } = await serviceWithFiles({ MAIL_ATTACHED_BYTES: `${maxBytes}` })
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  const names = { user_name: 'Anna Żółć', user_email: 'anna@office.example', reply_to: 'office@office.example' }
  mailbox = await createMailServer(http, { ...names, server_protocol: 1, server_address: 'smtp.office.example', server_port: 465 })
})

const path = '/mail_sent_mysql_message'
const to = { mail_to_address: ['jan@client.example'], mail_to_name: ['Jan Client'] }
const post = (fields: object = {}) =>
  http.post<{ id: number }>(path, {
    MailSentMysqlMessage: { mail_server_id: mailbox, ...to, status: 0, mail_body: '<p>Hello</p>', ...fields },
  })
const put = (id: number, fields: object) => http.put(`${path}/${id}`, { MailSentMysqlMessage: fields })

interface Frozen {
  readonly id: string | null
  readonly key: string | null
  readonly sha256: Uint8Array | null
  readonly size: number | null
}
async function frozen(id: number): Promise<Frozen> {
  const columns = 'msg_unique_identifier AS id, blob_key AS key, sha256, size'
  const [row] = await service.database.rows<Frozen>(`SELECT ${columns} FROM mail_sent_messages WHERE id = $1`, [id])
  return row as Frozen
}
async function bytes(id: number): Promise<Buffer> {
  const { key } = await frozen(id)
  const content = await blobs.get(key as string)
  if (!content) throw new Error('The message has no bytes.')
  return buffer(content)
}
const made = async (fields: object = {}) => {
  const { status, body, text } = await post(fields)
  if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
  return body.id
}
const clean = (content: Uint8Array, name = 'letter.pdf') => {
  const added = file({ customerId: here.customerId, name, mime: 'application/pdf', sizeBytes: BigInt(content.length) })
  files.files.push(added)
  files.contents.set(added.id, content)
  return added.id.toString()
}

describe('what is queued', () => {
  it('is composed once, with sender and recipients', async () => {
    const id = await made({
      mail_subject: 'Umowa',
      mail_cc_address: 'c@x.example',
      mail_bcc_address: 'secret@x.example',
      request_read_receipt: 1,
    })
    const [source, { id: messageId, sha256, size }] = [await bytes(id), await frozen(id)]
    expect([sha256 && Buffer.from(sha256), size]).toEqual([createHash('sha256').update(source).digest(), source.length])
    for (const parse of Object.values(parsers)) {
      const [read] = await parse([source])
      expect(read).toMatchObject({
        ...{ from: [['Anna Żółć', 'anna@office.example']], to: [['Jan Client', 'jan@client.example']], cc: [['', 'c@x.example']] },
        ...{ subject: 'Umowa', files: [] },
      })
    }
    const text = source.toString()
    expect(text).toContain(`Message-ID: <${messageId}>`)
    expect(messageId).toMatch(/^[\w-]{22}\.[\w-]{16}@office\.example$/)
    expect(text).toContain('Reply-To: office@office.example')
    expect(text).toMatch(/^Disposition-Notification-To: /m)
    // The random letters of the Message-ID may contain a short name.
    const written = text.replaceAll(String(messageId).split('@')[0] as string, '').toLowerCase()
    for (const secret of ['secret@x.example', 'Bcc', hostname()]) expect(written).not.toContain(secret.toLowerCase())
    const shown = await http.get<{ MailSentMysqlMessage: object }>(`${path}/${id}`)
    expect(shown.body.MailSentMysqlMessage).toMatchObject({ msg_unique_identifier: messageId, size: `${source.length}` })
  })

  it('is composed again when its content changes, with the same Message-ID', async () => {
    const id = await made()
    const first = await frozen(id)
    await put(id, { issue_id: null, status: 0 })
    expect(await frozen(id)).toEqual(first)
    for (const change of [
      { mail_subject: 'B' },
      { mail_body: 'B' },
      { mail_to_address: 'b@x.example' },
      { priority: 2 },
      { request_read_receipt: 1 },
      { send_at: '2099-01-01 00:00:00' },
    ]) {
      const before = await frozen(id)
      await put(id, change)
      const after = await frozen(id)
      expect([after.id, after.key === before.key]).toEqual([first.id, false])
    }
    expect((await bytes(id)).toString()).toContain('Subject: B')
  })

  it('is dated by the time at which it is to be sent', async () => {
    const dateOf = async (id: number) => Date.parse(/^Date: (.*)$/m.exec((await bytes(id)).toString())?.[1] ?? '')
    const shownAt = async (id: number) => {
      const [row] = await service.database.rows<{ at: Date }>('SELECT send_at AS at FROM mail_sent_messages WHERE id = $1', [id])
      return Number(row?.at)
    }
    const id = await made({ send_at: '2099-01-01 00:00:00' })
    expect(await dateOf(id)).toBe(await shownAt(id))
    await put(id, { send_at: '2098-01-01 00:00:00' })
    expect(await dateOf(id)).toBe(await shownAt(id))
    await put(id, { send_at: null })
    expect(Math.abs((await dateOf(id)) - Date.now())).toBeLessThan(60_000)
  })

  it('that has failed is sent again with the same bytes', async () => {
    const id = await made()
    const before = await frozen(id)
    await service.database.rows("UPDATE mail_sent_messages SET status = 3, error = 'x' WHERE id = $1", [id])
    await put(id, { status: 0 })
    expect(await frozen(id)).toEqual(before)
  })

  it('has no bytes while it is a draft', async () => {
    const id = await made()
    const { id: messageId } = await frozen(id)
    await put(id, { status: 4 })
    expect(await frozen(id)).toEqual({ id: messageId, key: null, sha256: null, size: null })
    await put(id, { status: 0 })
    expect((await frozen(id)).id).toBe(messageId)
    expect((await frozen(await made({ status: 4 }))).id).toBeNull()
  })

  it('is composed again after it was in TRASH', async () => {
    const id = await made()
    const before = await frozen(id)
    await http.delete(`${path}/${id}`)
    await put(id, { status: 0 })
    const after = await frozen(id)
    expect([after.id, after.key === before.key]).toEqual([before.id, false])
  })

  it('is not queued while the storage is away', async () => {
    const draft = await made({ status: 4 })
    const elsewhere = `${folder}-away`
    await rename(folder, elsewhere)
    try {
      expect([(await post()).status, (await put(draft, { status: 0 })).status]).toEqual([503, 503])
    } finally {
      await rename(elsewhere, folder)
    }
    const rows = await service.database.rows('SELECT status FROM mail_sent_messages WHERE user_id = $1', [here.expert.userId])
    expect(rows).toEqual([{ status: 4 }])
  })
})

describe('files', () => {
  it('are attached to the message, byte for byte', async () => {
    const contents = [randomBytes(200_000), Buffer.from('%PDF'), Buffer.alloc(0)]
    const ids = contents.map((content, at) => clean(content, `umowa-ź-${at}.pdf`))
    const id = await made({ common_file_ids: [...ids, ids[0]] })
    const [read] = await parsers.mailparser([await bytes(id)])
    expect(read?.files).toEqual(contents.map((content, at) => [`umowa-ź-${at}.pdf`, 'application/pdf', 'attachment', content.length]))
    expect((await bytes(id)).toString('latin1').replaceAll('\r\n', '')).toContain((contents[0] as Buffer).toString('base64'))
    const shown = await http.get<{ MailSentMysqlMessage: object }>(`${path}/${id}`)
    expect(shown.body.MailSentMysqlMessage).toMatchObject({ common_file_ids: ids })
  })

  it('that the office does not have are refused, even for a draft', async () => {
    const foreign = file({ customerId: service.office().customerId })
    files.files.push(foreign)
    for (const status of [0, 4])
      for (const unknown of [foreign.id.toString(), '987654321'])
        expect(await post({ status, common_file_ids: [unknown] })).toMatchObject(invalidFields({ common_file_ids: 'does not exist' }))
  })

  it.each([ScanStatus.PENDING, ScanStatus.INFECTED, ScanStatus.FAILED])(
    'that are not clean (%i) are allowed in drafts only',
    async (scanStatus) => {
      const added = file({ customerId: here.customerId, scanStatus })
      files.files.push(added)
      const common_file_ids = [added.id.toString()]
      expect(await post({ common_file_ids })).toMatchObject(invalidFields({ common_file_ids: 'must have passed the virus scan' }))
      const draft = await made({ status: 4, common_file_ids })
      expect(await put(draft, { status: 0 })).toMatchObject(invalidFields({ common_file_ids: 'must have passed the virus scan' }))
    },
  )

  it('are limited in their total size', async () => {
    const half = () => clean(randomBytes(maxBytes / 2))
    expect((await post({ common_file_ids: [half(), half()] })).status).toBe(201)
    expect(await post({ common_file_ids: [half(), half(), clean(Buffer.from('a'))] })).toMatchObject(
      invalidFields({ common_file_ids: `must be at most ${maxBytes} bytes together` }),
    )
  })

  it.each([
    ['a list', [{ a: 1 }]],
    ['ids', ['x']],
    ['at most 50', Array.from({ length: 51 }, (_, at) => at + 1)],
  ])('are %s', async (_, ids) => {
    expect(await post({ common_file_ids: ids })).toMatchObject(invalidFields({ common_file_ids: expect.any(String) }))
  })
})

describe('an answer', () => {
  it('names the conversation, and joins it', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const references = ['first@x.example', 'second@x.example']
    const answered = await storeOne(engine, box, 'OTHERS', { messageId: 'third@x.example', references })
    const id = await made({ reply_to_message_id: Number(answered) })
    const header = (await bytes(id)).toString().replaceAll(/\r\n\s+/g, ' ')
    expect(header).toContain('In-Reply-To: <third@x.example>')
    expect(header).toContain('References: <first@x.example> <second@x.example> <third@x.example>')
    const { id: messageId } = await frozen(id)
    const reply = await storeOne(engine, box, 'OTHERS', { inReplyTo: messageId })
    const threads = 'SELECT DISTINCT mail_thread_id AS id FROM mail_received_messages WHERE id IN ($1, $2)'
    expect(await service.database.rows(threads, [answered, reply])).toHaveLength(1)
  })

  it('names no Message-ID that is invalid in a header', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const answered = await storeOne(engine, box, 'OTHERS', { messageId: 'a b\u0001@x', references: ['ł@x', 'ok@x.example'] })
    const header = (await bytes(await made({ reply_to_message_id: Number(answered) }))).toString()
    expect(header).not.toContain('In-Reply-To')
    expect(header).toContain('References: <ok@x.example>')
  })
})
