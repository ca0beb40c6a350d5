import { buffer } from 'node:stream/consumers'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { simpleParser } from 'mailparser'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'

const { service, blobs, stop } = await serviceWithFiles({})
afterAll(stop)

const signature = '<p>Anna <b>Nowak</b></p>'
let http: HttpClient
let mailbox: number
const newMailbox = (fields: object = {}) =>
  createMailServer(http, { server_protocol: 1, server_address: 'smtp.office.example', server_port: 465, ...fields })
beforeEach(async () => {
  http = service.asExpert(officeWithMail(service).expert)
  mailbox = await newMailbox({ signature })
})

const signatureOf = async (id: number) =>
  (await http.get<{ MailServer: { signature: string } }>(`/mail_server/${id}`)).body.MailServer.signature
const sign = (text: string) => http.put(`/mail_server/${mailbox}`, { MailServer: { signature: text } })

const path = '/mail_sent_mysql_message'
const put = (id: number, fields: object) => http.put(`${path}/${id}`, { MailSentMysqlMessage: fields })
async function queue(fields: object = {}): Promise<number> {
  const message = { mail_server_id: mailbox, mail_to_address: 'jan@client.example', mail_body: '<p>Hello</p>', status: 0, ...fields }
  const { status, body, text } = await http.post<{ id: number }>(path, { MailSentMysqlMessage: message })
  if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
  return body.id
}
async function queued(id: number) {
  const [row] = await service.database.rows<{ key: string }>('SELECT blob_key AS key FROM mail_sent_messages WHERE id = $1', [id])
  const content = row && (await blobs.get(row.key))
  if (!content) throw new Error('The message has no bytes.')
  const { html, text } = await simpleParser(await buffer(content))
  return { html: html || '', text: text ?? '' }
}

describe('the signature of a mailbox', () => {
  it('is empty until its owner writes one', async () => {
    const other = await newMailbox()
    expect([await signatureOf(mailbox), await signatureOf(other)]).toEqual([signature, ''])
    expect((await sign('<p>Other</p>')).status).toBe(200)
    expect(await signatureOf(mailbox)).toBe('<p>Other</p>')
  })

  it('is sanitised when it is created or changed', async () => {
    const hostile = '<p onclick="x()">Anna</p><script>x()</script><img src="https://evil.example/x.png"><a href="javascript:x()">y</a>'
    const changed = await sign(hostile)
    expect(changed.status).toBe(200)
    for (const id of [mailbox, await newMailbox({ signature: hostile })]) {
      const stored = await signatureOf(id)
      expect(stored).toContain('<p>Anna</p>')
      expect(stored).not.toMatch(/script|onclick|evil/)
    }
  })

  it('is at most 64 KiB', async () => {
    expect((await sign('x'.repeat(65_536))).status).toBe(200)
    for (const long of ['x'.repeat(65_537), 'ł'.repeat(32_769)])
      expect(await sign(long)).toMatchObject({ status: 400, body: { errorMessages: { signature: expect.stringContaining('65536') } } })
  })
})

describe('a message', () => {
  it('carries it below the body, which is stored unchanged', async () => {
    const id = await queue()
    const { html, text } = await queued(id)
    expect(html).toContain(`<p>Hello</p><br><div>${signature}</div>`)
    expect(text.replaceAll('\r', '')).toContain('Hello\n\n-- \nAnna Nowak')
    const { body } = await http.get<{ MailSentMysqlMessage: object }>(`${path}/${id}`)
    expect(body.MailSentMysqlMessage).toMatchObject({ mail_body: '<p>Hello</p>', add_signature: '1' })
  })

  it('leaves it out on request, also when it is queued already', async () => {
    const [without, changed] = [await queue({ add_signature: '0' }), await queue()]
    await put(changed, { add_signature: 0 })
    for (const id of [without, changed]) {
      const { html, text } = await queued(id)
      expect([html.includes('Nowak'), text.includes('Nowak'), text.includes('-- ')]).toEqual([false, false, false])
    }
  })

  it('has the signature of the time at which it was queued', async () => {
    const id = await queue()
    await sign('<p>Another</p>')
    await put(id, { status: 0 })
    expect((await queued(id)).html).toContain('Nowak')
    expect((await queued(await queue())).html).toContain('Another')
  })
})
