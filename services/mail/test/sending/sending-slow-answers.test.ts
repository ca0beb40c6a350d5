import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { afterAll, describe, expect, it } from '@jest/globals'
import { faultySmtp } from '../support/faulty-smtp.js'
import { testSending } from '../support/sending.js'
import { sendingMailboxes } from '../support/sending-mailboxes.js'

const perHour = 3
const sending = await testSending({ MAIL_MESSAGES_PER_HOUR: String(perHour) })
afterAll(() => sending.stop())

const { scripted } = sendingMailboxes(sending)

/** A mailbox whose server has not answered the end of its first message, and answers the ends of all others. */
async function waiting() {
  const script = faultySmtp()
  let ends = 0
  const { server, mailbox } = await scripted({
    ...script,
    answer(line, connection) {
      const answer = script.answer?.(line, connection)
      if (answer !== '250 taken\r\n') return answer
      ends++
      return ends === 1 ? undefined : answer
    },
  })
  await mailbox.queue({})
  await mailbox.send()
  await eventually(async () => {
    expect(ends).toBe(1)
    expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }])
  })
  return { server, mailbox, ends: () => ends, http: sending.service.asExpert(mailbox.office.expert) }
}

describe('while a server has not answered the end of a message', () => {
  it('messages that are queued then are sent, within the hourly limit', async () => {
    const { mailbox, ends } = await waiting()
    await mailbox.queue(...Array(perHour).fill({}))
    await mailbox.send()
    await mailbox.untilStatus(1, 2, 2, 0)
    // The one that is not answered yet is counted as well. The run looks for messages each second.
    await pause(2500)
    expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }, { status: 2 }, { status: 2 }, { status: 0, phase: null }])
    expect(ends()).toBe(perHour)
  })

  it('a mailbox that was paused sends nothing more', async () => {
    const { mailbox, ends, http } = await waiting()
    expect((await http.post(`/mail_server/${mailbox.id}/pause`)).status).toBe(200)
    await mailbox.queue({})
    // The run looks for messages each second.
    await pause(2500)
    await mailbox.untilStatus(1, 0)
    expect(ends()).toBe(1)
  })
})
