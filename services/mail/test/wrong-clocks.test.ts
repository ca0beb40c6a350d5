import { eventually } from '@caseway/testing'
import { afterAll, afterEach, expect, it, jest } from '@jest/globals'
import { createMailServer } from './support/mail-servers.js'
import { testSending } from './support/sending.js'
import { sendingMailboxes } from './support/sending-mailboxes.js'

const sending = await testSending({ MAIL_ROLES: 'http,send,receive', MAIL_MESSAGES_PER_HOUR: '1' })
afterAll(() => sending.stop())

const { at } = sendingMailboxes(sending)
const { rows } = sending.service.database

/** Nothing listens on this port. */
const closed = { server_address: '127.0.0.1', server_port: 993, server_encryption: 2 }

/** Changes the clock of the service, and not that of the database. */
function shiftClock(hours: number) {
  const others = ['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const
  const timers = ['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const
  jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...others, ...timers] })
}
afterEach(() => void jest.useRealTimers())

/** Seconds until the next run of a job, by the clock of the database. */
async function untilRun(name: string, key: number): Promise<number> {
  return eventually(async () => {
    const [job] = await rows<{ seconds: number }>(
      `SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM kit.job WHERE name = $1 AND key = $2 AND state = 'waiting'`,
      [name, String(key)],
    )
    if (!job) throw new Error('No run is planned.')
    return job.seconds
  })
}

it('a deferred message waits for its pause', async () => {
  const { mailbox } = await at({ onRcptTo: (_, __, done) => done(Object.assign(new Error('later'), { responseCode: 450 })) })
  await mailbox.queue({})
  shiftClock(-1)
  await mailbox.send()
  const seconds = await untilRun('mail-sending', mailbox.id)
  expect(seconds).toBeGreaterThan(40)
  expect(seconds).toBeLessThanOrEqual(60)
})

it('messages beyond the hourly limit wait for the rest of the hour', async () => {
  const { mailbox } = await at()
  await mailbox.queue({}, {})
  shiftClock(2)
  await mailbox.send()
  await mailbox.untilStatus(2, 0)
  expect(await untilRun('mail-sending', mailbox.id)).toBeGreaterThan(3500)
})

it('a mailbox whose server is not reached is tried again after a pause', async () => {
  const { mailbox } = await at()
  const id = await createMailServer(sending.service.asExpert(mailbox.office.expert), { ...closed, server_protocol: 2 })
  await untilRun('mailbox-sync', id)
  shiftClock(-1)
  await rows(`UPDATE kit.job SET due = now(), run_at = now() WHERE name = 'mailbox-sync' AND key = '${id}'`)
  await eventually(async () => expect(await rows(`SELECT failures FROM mail_servers WHERE id = ${id}`)).toEqual([{ failures: 2 }]))
  expect(await untilRun('mailbox-sync', id)).toBeGreaterThan(40)
})
