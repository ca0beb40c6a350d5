import type { Id } from '@caseway/kit/caller'
import { createDatabase, office } from '@caseway/kit/database'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { sentMessageTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { publishSent } from '../../src/changed-messages/changed-messages.repository.js'
import type { Db, Tx } from '../../src/database.js'
import { PrismaClient } from '../../src/generated/client.js'
import { uncertainText } from '../../src/sending/queued-message.js'
import { type QueuedMessages, queuedMessageRepository } from '../../src/sending/queued-message.repository.js'
import { type Transmissions, transmissionRepository } from '../../src/sending/transmission.repository.js'
import { faultySmtp } from '../support/faulty-smtp.js'
import { type SendingMailbox, type TestSending, testSending } from '../support/sending.js'
import { testServers } from '../support/test-servers.js'

let sending: TestSending
let db: Db
/** Writes to the same messages as another process would. */
let other: QueuedMessages
let transmissions: Transmissions
beforeAll(async () => {
  sending = await testSending()
  const log = createLog({ service: 'mail', level: 'silent' })
  db = createDatabase({ url: sending.service.database.url, client: PrismaClient, log, metrics: createMetrics('mail') })
  other = queuedMessageRepository(db, publishSent)
  transmissions = transmissionRepository(db, async () => undefined, publishSent)
})
afterAll(async () => {
  await db.close()
  await sending.stop()
})

const servers = testServers()
const patience = { timeoutMs: 30_000 }

/** A mailbox with one message, whose server is silent after `line` until it is released. */
async function heldAfter(line: string) {
  const held = Promise.withResolvers<void>()
  const server = await servers.serving({ ...faultySmtp(), later: { line, until: held.promise } })
  const mailbox = await sending.mailbox({ server_port: server.port })
  const [id] = await mailbox.queue({})
  await mailbox.send()
  await eventually(() => expect(server.received()).toContain(`\r\n${line}\r\n`), patience)
  const of = { id: BigInt(mailbox.id), customerId: mailbox.office.customerId }
  const asOther = <T>(work: (tx: Tx) => Promise<T>) => db.write(office(of.customerId), work)
  return { ...{ server, mailbox, of, asOther, letGo: held.resolve }, state: () => stateOf(mailbox, id as Id) }
}
const stateOf = async (mailbox: SendingMailbox, id: Id) => ({ messages: await mailbox.messages(), to: await mailbox.recipients(id) })

let lostBefore: number
const lostRuns = async () => {
  const read = await sending.service.metrics.registry.getSingleMetric('job_runs_total')?.get()
  return read?.values.find(({ labels }) => labels.job_name === 'mail-sending' && labels.outcome === 'lost')?.value ?? 0
}
beforeEach(async () => {
  lostBefore = await lostRuns()
})
/** Waits until a run has ended because it lost its lease. */
const untilLost = () => eventually(async () => expect(await lostRuns()).toBe(lostBefore + 1), patience)

describe('a run that has lost its message, and not its mailbox', () => {
  it('does not send its end, and changes nothing', async () => {
    const { server, of, asOther, letGo, state } = await heldAfter('DATA')
    // Another process claims the message, and sends it.
    await asOther((tx) => other.recover(tx, of))
    const [claim] = await asOther((tx) => other.claim(tx, of, 10))
    if (!claim) throw new Error('The message was not taken over.')
    const transmission = transmissions.of(of)
    await transmission.dot(claim, [])
    await transmission.answered(claim, [{ address: 'one@elsewhere.example', state: 'refused', reply: '550 never' }])
    const after = await state()
    expect(after).toMatchObject({ messages: [{ status: 3, attempts: 1 }], to: [{ state: 'refused', error: '550 never' }] })
    letGo()
    await untilLost()
    expect(server.received()).toContain('Subject: Hello')
    expect(server.received()).not.toContain('\r\n.\r\n')
    expect(await state()).toEqual(after)
  })

  it('writes no answer after another process has settled it', async () => {
    const { of, asOther, letGo, state } = await heldAfter('.')
    const [found] = await asOther((tx) => other.uncertain(tx, of))
    if (!found) throw new Error('The message is not uncertain.')
    await asOther((tx) => other.settled(tx, of, found, uncertainText))
    const after = await state()
    expect(after).toMatchObject({ messages: [{ status: 3, error: uncertainText }], to: [{ state: 'pending' }] })
    letGo()
    await untilLost()
    expect(await state()).toEqual(after)
  })
})

describe('an uncertain message that the server has filed', () => {
  it('was delivered to the accepted recipients; deferred ones are tried again, refused ones are not', async () => {
    const script = faultySmtp('dot', 'cut')
    const answers: Record<string, string> = { later: '451 later\r\n', never: '550 never\r\n' }
    const answerOf = (line: string) => answers[/^RCPT TO:<(\w+)@/.exec(line)?.[1] ?? '']
    const server = await servers.serving({ ...script, answer: (line, of) => answerOf(line) ?? script.answer?.(line, of) })
    const mailbox = await sending.mailbox({ server_port: server.port })
    const of = { id: BigInt(mailbox.id), customerId: mailbox.office.customerId }
    const [id = 0n] = await mailbox.queue({ to: ['taken@x.example', 'later@x.example', 'never@x.example'] })
    // It was deferred before: this time the server accepts it.
    await sending.service.database.rows(
      `UPDATE mail_sent_recipients SET state = 'deferred', error = '450' WHERE sent_message_id = $1 AND position = 0`,
      [id],
    )
    await mailbox.send()
    await eventually(async () => expect(await mailbox.messages()).toMatchObject([{ phase: 'dot' }]), patience)
    const later = { state: 'deferred', error: '451 later' }
    const never = { state: 'refused', error: '550 never' }
    expect((await stateOf(mailbox, id)).to).toMatchObject([{ state: 'pending', error: '' }, later, never])
    await db.write(office(of.customerId), async (tx) => {
      const [found] = await other.uncertain(tx, of)
      if (!found) throw new Error('The message is not uncertain.')
      await other.settled(tx, of, found)
    })
    expect(await stateOf(mailbox, id)).toMatchObject({
      messages: [{ status: 0, phase: null, attempts: 1, error: '550 never', next_attempt_at: expect.any(Date), sent_at: expect.any(Date) }],
      to: [{ state: 'accepted' }, later, never],
    })
  })

  it.each(['refused', 'failed'])('has failed where the state of a recipient is %s, and its author is notified', async (state) => {
    const mailbox = await sending.mailbox({ server_port: 1 })
    const sendAt = new Date(Date.now() + 3_600_000)
    const [id = 0n] = await mailbox.queue({ to: ['one@elsewhere.example', 'two@elsewhere.example'], sendAt })
    const of = { id: BigInt(mailbox.id), customerId: mailbox.office.customerId }
    // In one transaction, so that no run of the mailbox settles it in between.
    await db.write(office(of.customerId), async (tx) => {
      await tx.$executeRaw`UPDATE mail_sent_messages SET status = 1, phase = 'dot' WHERE id = ${BigInt(id)}`
      await tx.$executeRaw`UPDATE mail_sent_recipients SET state = ${state}, error = '550 never' WHERE sent_message_id = ${BigInt(id)} AND position = 1`
      const [found] = await other.uncertain(tx, of)
      if (!found) throw new Error('The message is not uncertain.')
      await other.settled(tx, of, found)
    })
    expect(await stateOf(mailbox, id)).toMatchObject({
      messages: [{ status: 3, error: '550 never', phase: null, sent_at: expect.any(Date) }],
      to: [{ state: 'accepted' }, { state, error: '550 never' }],
    })
    expect((await sending.service.published(sentMessageTopic)).filter(({ event }) => event.id === BigInt(id))).toHaveLength(1)
  })
})

describe('the next message of a connection', () => {
  it('does not end before the answer to the one before it is written', async () => {
    const held = Promise.withResolvers<void>()
    const server = await servers.serving({ ...faultySmtp(), later: { line: '.', until: held.promise } })
    const mailbox = await sending.mailbox({ server_port: server.port })
    const sendAt = new Date(Date.now() + 3_600_000)
    await mailbox.queue(...Array.from({ length: 6 }, () => ({ sendAt })))
    const times = (line: string) =>
      server
        .received()
        .split('\r\n')
        .filter((one) => one === line).length
    // Made due together, so that a run which has begun does not claim only some of them.
    await sending.service.database.rows('UPDATE mail_sent_messages SET send_at = NULL WHERE mail_server_id = $1', [mailbox.id])
    await mailbox.send()
    await eventually(() => expect(times('.')).toBe(3), patience)
    // The answers to three messages could be written when this ends, but their claims are lost by then. The others must not continue.
    await db.write(office(mailbox.office.customerId), async (tx) => {
      await tx.$executeRaw`UPDATE mail_sent_messages SET fence = fence + 1 WHERE mail_server_id = ${BigInt(mailbox.id)} AND phase = 'dot'`
      await tx.$executeRaw`UPDATE mail_servers SET state = 'paused' WHERE id = ${BigInt(mailbox.id)}`
      held.resolve()
      await eventually(() => expect(times('DATA')).toBe(6), patience)
    })
    await untilLost()
    expect(times('.')).toBe(3)
  })
})

describe('messages that are written together', () => {
  it('keep the state that a delivery report gives a recipient before the answer is written', async () => {
    const mailbox = await sending.mailbox({})
    const [id = 0n] = await mailbox.queue({ to: ['one@elsewhere.example', 'two@elsewhere.example'] })
    const of = { id: BigInt(mailbox.id), customerId: mailbox.office.customerId }
    const [claim] = await db.write(office(of.customerId), (tx) => other.claim(tx, of, 1))
    if (!claim) throw new Error('The message was not claimed.')
    const transmission = transmissions.of(of)
    await transmission.dot(claim, [])
    // As `bounceRepository` writes a report.
    const report = await holdTransaction(sending.service.database, 'SELECT FROM mail_sent_messages WHERE id = $1 FOR UPDATE', [id])
    const failed = `UPDATE mail_sent_recipients SET state = 'failed', error = '550 full' WHERE sent_message_id = $1 AND position = 1`
    await report.query(failed, [id])
    const answers = claim.to.map((address) => ({ address, state: 'accepted' as const, reply: '' }))
    const written = transmission.answered(claim, answers)
    await untilWaiting(sending.service.database, 1)
    await report.commit()
    await written
    expect(await stateOf(mailbox, id)).toMatchObject({
      messages: [{ status: 3, phase: null, error: '550 full', sent_at: expect.any(Date) }],
      to: [{ state: 'accepted' }, { state: 'failed', error: '550 full' }],
    })
  })

  it('are written where the claim still holds, and not where they were claimed again', async () => {
    const mailbox = await sending.mailbox({})
    const ids = await mailbox.queue({}, {}, {})
    const of = { id: BigInt(mailbox.id), customerId: mailbox.office.customerId }
    const asOther = <T>(work: (tx: Tx) => Promise<T>) => db.write(office(of.customerId), work)
    const lost = (await asOther((tx) => other.claim(tx, of, 10)))[1]
    await asOther((tx) => other.recover(tx, of))
    const [first, second, third] = await asOther((tx) => other.claim(tx, of, 10))
    if (!first || !lost || !second || !third) throw new Error('Not all messages were claimed.')
    const transmission = transmissions.of(of)
    const outcomes = async (written: readonly Promise<void>[]) => (await Promise.allSettled(written)).map(({ status }) => status)
    const claims = [first, lost, third]
    const one = ['fulfilled', 'rejected', 'fulfilled']

    expect(await outcomes(claims.map((claim) => transmission.dot(claim, [])))).toEqual(one)
    expect((await mailbox.messages()).map(({ phase }) => phase)).toEqual(['dot', 'claimed', 'dot'])

    const taken = [{ address: 'one@elsewhere.example', state: 'accepted', reply: '' }] as const
    expect(await outcomes(claims.map((claim) => transmission.answered(claim, taken)))).toEqual(one)
    expect((await mailbox.messages()).map(({ status }) => status)).toEqual([2, 1, 2])
    expect(await Promise.all(ids.map(async (id) => (await mailbox.recipients(id)).map(({ state }) => state)))).toEqual([
      ['accepted'],
      ['pending'],
      ['accepted'],
    ])
  })
})
