import { type HttpClient, invalidFields, type TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { countsOf, newMailbox, officeWithMail, storeOne } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'
import { done, inState, notFound, path, smtp, time, writtenMessages } from '../support/written-messages.js'

const { service, engine, stop } = await serviceWithFiles()
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

const { post, made, put, message, recipients, set } = writtenMessages(service, () => ({ http, mailbox }))
const drafts = async () => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  return kept[`${here.expert.userId} DRAFTS 0`] ?? 0
}

describe('POST /rest/mail_sent_mysql_message', () => {
  it('queues a message with the status 0, in the folder SENT', async () => {
    expect(await message(await made({ status: '0' }))).toMatchObject({ status: '0', folder_name: 'SENT' })
    expect(await message(await made({ status: 0 }))).toMatchObject({ status: '0' })
  })

  it('stores a message without a status as a draft', async () => {
    expect(await message(await made({ status: undefined }))).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })

  it.each([1, 2, 3])('the status %i is refused', async (status) => {
    expect(await post({ status })).toMatchObject(invalidFields({ status: 'must be 0 or 4' }))
    expect(await put(await made(), { status: `${status}` })).toMatchObject(invalidFields({ status: 'must be 0 or 4' }))
  })

  it('waits until `send_at`, where that is in the future', async () => {
    expect(await message(await made({ status: 0, send_at: '2099-01-02 03:04:05' }))).toMatchObject({ send_at: '2099-01-02 03:04:05' })
    expect(await message(await made({ status: 0, send_at: '2020-01-02 03:04:05' }))).toMatchObject({ send_at: null })
  })
})

describe('PUT /rest/mail_sent_mysql_message/{id}', () => {
  it('queues a draft, and takes it back', async () => {
    const id = await made()
    expect(await put(id, { status: 0 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', folder_name: 'SENT' })
    expect(await put(id, { status: 4 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })

  it('queues a failed message again, for the recipients who have not accepted it', async () => {
    const id = await made({ status: 0, mail_cc_address: ['b@x.example'], mail_bcc_address: ['c@x.example'] })
    await set(id, "status = 3, error = '550', attempts = 3, phase = 'dot', next_attempt_at = now(), fence = 7")
    const state = 'UPDATE mail_sent_recipients SET state = $2, error = $2 WHERE sent_message_id = $1 AND kind = $3'
    for (const values of [
      ['accepted', 'to'],
      ['refused', 'cc'],
      ['deferred', 'bcc'],
    ])
      await service.database.rows(state, [id, ...values])
    expect(await put(id, { status: 0, mail_cc_address: ['right@x.example'] })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', error: null })
    expect(await recipients(id)).toEqual([
      'to jan@client.example Jan Client accepted',
      'cc right@x.example  pending',
      'bcc c@x.example  pending',
    ])
    const columns = 'phase, attempts, next_attempt_at AS next, fence::int'
    const [row] = await service.database.rows(`SELECT ${columns} FROM mail_sent_messages WHERE id = $1`, [id])
    expect(row).toEqual({ phase: null, attempts: 0, next: null, fence: 8 })
  })

  it.each([1, 2])('refuses every change of a message in the state %i', async (state) => {
    const id = await made({ status: 0 })
    await set(id, `status = ${state}`)
    for (const fields of [{ status: 0 }, { status: 4 }, { mail_subject: 'X' }, {}]) expect(await put(id, fields)).toMatchObject(inState)
    expect(await message(id)).toMatchObject({ status: `${state}`, mail_subject: '' })
  })

  it('keeps the place in the queue of a message that it does not change', async () => {
    const id = await made({ status: 0 })
    const { modified: before } = await message(id)
    await set(id, 'fence = 5')
    expect(await put(id, { status: 0, mail_subject: '' })).toMatchObject(done)
    const [row] = await service.database.rows('SELECT fence::int FROM mail_sent_messages WHERE id = $1', [id])
    expect([row, before]).toEqual([{ fence: 5 }, time])
  })

  it('has one winner among fifty requests that take a message back and the sending engine', async () => {
    const id = await made({ status: 0 })
    const claim = await holdTransaction(service.database, 'UPDATE mail_sent_messages SET status = 1 WHERE id = $1 AND status = 0', [id])
    const changes = Array.from({ length: 50 }, () => put(id, { status: 4 }))
    await untilWaiting(service.database, 1)
    await claim.commit()
    const answers = await Promise.all(changes)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409))
    expect(await message(id)).toMatchObject({ status: '1', folder_name: 'SENT' })
  })

  it('leaves nothing to the sending engine where it was first', async () => {
    const id = await made({ status: 0 })
    const held = await holdTransaction(service.database, 'SELECT FROM mail_sent_messages WHERE id = $1 FOR UPDATE', [id])
    const change = put(id, { status: 4 })
    await untilWaiting(service.database, 1)
    const claim = holdTransaction(service.database, 'UPDATE mail_sent_messages SET status = 1 WHERE id = $1 AND status = 0', [id])
    await untilWaiting(service.database, 2)
    await held.commit()
    expect(await change).toMatchObject(done)
    const claimed = await claim
    await claimed.commit()
    expect(claimed.rowCount).toBe(0)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })
})

describe('DELETE /rest/mail_sent_mysql_message/{id}', () => {
  const remove = (id: number, by = http) => by.delete(`${path}/${id}`)

  it.each([2, 3])('moves a message in the state %i to TRASH, and then deletes it', async (state) => {
    const id = await made({ status: 0 })
    await set(id, `status = ${state}`)
    expect(await remove(id)).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: `${state}`, folder_name: 'TRASH' })
    expect(await remove(id)).toMatchObject(done)
    expect(await remove(id)).toMatchObject(notFound)
  })

  it('keeps a queued message from being sent', async () => {
    const id = await made({ status: 0 })
    expect(await remove(id)).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'TRASH' })
    expect(await put(id, { status: 0 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', folder_name: 'SENT' })
  })

  it('is refused while the message is being sent', async () => {
    const id = await made({ status: 0 })
    await set(id, 'status = 1')
    expect(await remove(id)).toMatchObject(inState)
    expect(await message(id)).toMatchObject({ status: '1', folder_name: 'SENT' })
  })
})

describe('POST /rest/mail_sent_mysql_message/{id}/restore', () => {
  const restore = (id: number, by = http) => by.post(`${path}/${id}/restore`)

  it.each([
    [0, { status: '4', folder_name: 'DRAFTS' }, 1],
    [2, { status: '2', folder_name: 'SENT' }, 0],
    [3, { status: '3', folder_name: 'SENT' }, 0],
  ])('restores a message that was deleted in the state %i', async (state, fields, count) => {
    const id = await made({ status: 0 })
    await set(id, `status = ${state}`)
    await http.delete(`${path}/${id}`)
    expect(await restore(id)).toMatchObject(done)
    expect(await message(id)).toMatchObject(fields)
    expect(await drafts()).toBe(count)
    expect(await restore(id)).toMatchObject({ status: 409, body: { errorCode: 'MAIL_MESSAGE_NOT_IN_TRASH' } })
  })

  it('is for the author alone', async () => {
    const id = await made({ status: 0 })
    await http.delete(`${path}/${id}`)
    for (const person of [here.specialist, service.office().expert])
      expect(await restore(id, service.asExpert(person))).toMatchObject(notFound)
    expect((await restore(id, service.asExpert(here.administrator))).status).toBe(403)
    expect((await restore(id, http.as(undefined))).status).toBe(401)
    expect(await message(id)).toMatchObject({ folder_name: 'TRASH' })
  })
})

it('counts the drafts of the author, beside those that are on the server', async () => {
  expect(await drafts()).toBe(0)
  await storeOne(engine, await newMailbox(engine, here, here.expert.userId), 'DRAFTS')
  const [first, second] = [await made(), await made()]
  await made({ status: 0 })
  expect(await drafts()).toBe(3)
  await put(first, { mail_subject: 'X' })
  expect(await drafts()).toBe(3)
  await put(first, { status: 0 })
  expect(await drafts()).toBe(2)
  await put(first, { status: 4 })
  await http.delete(`${path}/${second}`)
  expect(await drafts()).toBe(2)
  await http.delete(`${path}/${first}`)
  expect(await drafts()).toBe(1)
})
