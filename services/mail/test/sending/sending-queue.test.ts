import { customerTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { customer } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type SendingMailbox, type TestSending, testSending } from '../support/sending.js'
import { testServers } from '../support/test-servers.js'

let sending: TestSending
beforeAll(async () => {
  sending = await testSending()
})
afterAll(() => sending.stop())
beforeEach(() => rows('DELETE FROM mail_sent_messages'))

const servers = testServers()
const rows = <R extends object = object>(sql: string) => sending.service.database.rows<R>(sql)
const patience = { timeoutMs: 20_000 }

async function mailbox() {
  const smtp = await servers.smtp()
  const box = await sending.mailbox({ server_port: smtp.port })
  // The job of a new mailbox ends first.
  await eventually(async () => expect(await jobsOf(box)).toEqual([]), patience)
  return { smtp, box }
}
const jobsOf = ({ id }: SendingMailbox) =>
  rows(`SELECT state FROM kit.job WHERE name = 'mail-sending' AND key = '${id}' AND state <> 'done'`)

/** Runs the safety job, and waits for its end. */
async function tick() {
  const done = `SELECT id FROM kit.job WHERE name = 'sending-safety' AND state = 'done'`
  const before = (await rows(done)).length
  await rows(`UPDATE kit.schedule SET next = now() WHERE name = 'sending-safety'`)
  await eventually(async () => expect((await rows(done)).length).toBeGreaterThan(before), patience)
}

describe('a mailbox without a job', () => {
  it('gets one when a message waits there, and sends it', async () => {
    const { smtp, box } = await mailbox()
    await box.queue({})
    await tick()
    await box.untilStatus(2)
    expect(smtp.delivered).toHaveLength(1)
  })

  it('gets one for a message in transmission, even if the mailbox does not send any more', async () => {
    const { smtp, box } = await mailbox()
    await box.queue({ phase: 'dot' }, { phase: 'claimed' })
    await rows(`UPDATE mail_servers SET state = 'paused' WHERE id = ${box.id}`)
    await tick()
    await box.untilStatus(3, 0)
    expect(smtp.delivered).toEqual([])
  })

  it('that was deleted gets one, which fails its messages', async () => {
    const { box } = await mailbox()
    await box.queue({})
    await rows(`DELETE FROM mail_servers WHERE id = ${box.id}`)
    await tick()
    await box.untilStatus(3)
  })

  it('that receives now gets one, which fails its messages', async () => {
    const { box } = await mailbox()
    await box.queue({})
    await rows(`UPDATE mail_servers SET state = 'paused', server_protocol = 2 WHERE id = ${box.id}`)
    await tick()
    await box.untilStatus(3)
  })

  it('of a closed office gets none for messages that wait; they are sent once it is open again', async () => {
    const { smtp, box } = await mailbox()
    const { customerId: id } = box.office
    const office = async (closed: boolean, revision: bigint) => sending.service.publish(customerTopic, customer({ id, closed, revision }))
    await office(true, 1_000_001n)
    await box.queue({}, { phase: 'dot' })
    await box.send()
    await box.untilStatus(0, 3)
    await tick()
    expect(await jobsOf(box)).toEqual([])
    await office(false, 1_000_002n)
    await tick()
    await box.untilStatus(2, 3)
    expect(smtp.delivered).toHaveLength(1)
  })

  it('that was stopped gets one for due messages alone, which fail after a day', async () => {
    const { smtp, box } = await mailbox()
    await rows(`UPDATE mail_servers SET state = 'auth_failed' WHERE id = ${box.id}`)
    const [due, long] = await box.queue({}, {}, { sendAt: new Date(Date.now() + 3_600_000) })
    const since = (id: bigint | undefined, hours: number) =>
      rows(`UPDATE mail_sent_messages SET unreachable_since = now() - interval '${hours} hours' WHERE id = ${id}`)
    await since(long, 24)
    await tick()
    const error = 'The mail server refused the login.'
    expect(await box.untilStatus(0, 3, 0)).toMatchObject([{ error, unreachable_since: expect.any(Date) }, { error }, { error: null }])
    await eventually(async () => expect(await jobsOf(box)).toEqual([]), patience)
    const jobs = () => rows(`SELECT id FROM kit.job WHERE name = 'mail-sending' AND key = '${box.id}'`)
    const before = await jobs()
    await since(due, 23)
    await tick()
    expect(await jobs()).toEqual(before)
    await since(due, 24)
    await tick()
    await box.untilStatus(3, 3, 0)
    expect(smtp.delivered).toEqual([])
  })

  it('gets none when nothing waits there, or it does not send', async () => {
    const [{ box: idle }, { box: paused }] = [await mailbox(), await mailbox()]
    await idle.queue({})
    await rows(`UPDATE mail_sent_messages SET status = 3 WHERE mail_server_id = ${idle.id}`)
    await paused.queue({})
    await rows(`UPDATE mail_servers SET state = 'paused' WHERE id = ${paused.id}`)
    const jobs = () => rows(`SELECT id FROM kit.job WHERE name = 'mail-sending' AND key IN ('${idle.id}', '${paused.id}')`)
    const before = await jobs()
    await tick()
    expect(await jobs()).toEqual(before)
  })

  it('that has one gets no other', async () => {
    const { box } = await mailbox()
    await box.queue({ sendAt: new Date(Date.now() + 3_600_000) })
    await box.send()
    await eventually(async () => expect(await jobsOf(box)).toEqual([{ state: 'waiting' }]), patience)
    await tick()
    expect(await jobsOf(box)).toEqual([{ state: 'waiting' }])
  })
})

describe('messages that are to be sent', () => {
  const figures = async (name: string) => {
    const read = await sending.service.metrics.registry.getSingleMetric(name)?.get()
    return Object.fromEntries((read?.values ?? []).map(({ labels, value }) => [labels.state, value]))
  }
  const none = { due: 0, scheduled: 0, deferred: 0, stopped: 0, sending: 0, uncertain: 0 }

  it('are counted by state, with the age of the oldest', async () => {
    expect(await figures('mail_queue_messages')).toEqual(none)
    expect(await figures('mail_queue_oldest_seconds')).toEqual(none)
    const [{ box }, { box: paused }] = [await mailbox(), await mailbox()]
    await rows(`UPDATE mail_servers SET state = 'paused' WHERE id = ${paused.id}`)
    const ids = await box.queue({}, {}, {}, {}, { phase: 'claimed' }, { phase: 'dot' }, {}, {})
    const [stopped] = await paused.queue({})
    const ago = (hours: number) => `now() - interval '${hours} hours'`
    const in1 = `now() + interval '1 hour'`
    const columns = [
      `modified = ${ago(2)}`,
      // It was written long before it was due.
      `modified = ${ago(9)}, send_at = ${ago(1)}`,
      `modified = ${ago(9)}, send_at = ${in1}`,
      `modified = ${ago(3)}, next_attempt_at = ${in1}`,
      `modified = ${ago(4)}`,
      `modified = ${ago(5)}`,
      `modified = ${ago(99)}, status = 2`,
      `modified = ${ago(99)}, status = 3`,
    ]
    await rows('ALTER TABLE mail_sent_messages DISABLE TRIGGER USER')
    for (const [i, set] of columns.entries()) await rows(`UPDATE mail_sent_messages SET ${set} WHERE id = ${ids[i]}`)
    await rows(`UPDATE mail_sent_messages SET modified = ${ago(6)} WHERE id = ${stopped}`)
    await rows('ALTER TABLE mail_sent_messages ENABLE TRIGGER USER')
    expect(await figures('mail_queue_messages')).toEqual({ due: 2, scheduled: 1, deferred: 1, stopped: 1, sending: 1, uncertain: 1 })
    const hours = Object.entries(await figures('mail_queue_oldest_seconds')).map(([state, seconds]) => [
      state,
      Math.round(Number(seconds) / 3600),
    ])
    expect(Object.fromEntries(hours)).toEqual({ due: 2, scheduled: 0, deferred: 3, stopped: 6, sending: 4, uncertain: 5 })
  })
})
