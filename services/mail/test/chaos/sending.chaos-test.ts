import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { uncertainText } from '../../src/sending/queued-message.js'
import { type MailProcess, mailProcess } from '../support/mail-process.js'
import { type SendingMailbox, testSending } from '../support/sending.js'
import { testSmtp } from '../support/smtp-server.js'

/** `CHAOS=long` uses the numbers of the acceptance tests. numbers of the acceptance. */
const { count, kills } = process.env.CHAOS === 'long' ? { count: 500, kills: 20 } : { count: 60, kills: 4 }
const mailboxes = 4
const secret = randomBytes(32).toString('base64')

/** Records each Message-ID that the server has accepted, as often as it has. A tenth of its answers is 4xx. */
async function recordingServer() {
  const taken = new Map<string, number>()
  const refuses = () => Math.random() < 0.1
  const later = Object.assign(new Error('later'), { responseCode: 451 })
  const smtp = await testSmtp({
    onRcptTo: (_, __, done) => done(Math.random() < 0.02 ? later : null),
    onData: async (stream, _, done) => {
      const bytes = await text(stream).catch(() => undefined)
      // The sending process was killed before the end.
      if (bytes === undefined) return done(later)
      const [, id = ''] = /^Message-ID: <(.*)>/.exec(bytes) ?? []
      // A process may be killed between the end of the data and the answer.
      await pause(20 * Math.random())
      if (refuses()) return done(later)
      taken.set(id, (taken.get(id) ?? 0) + 1)
      await pause(20 * Math.random())
      done(null, 'taken')
    },
  })
  return { ...smtp, taken }
}

it(`of ${count} messages none is lost and none is sent twice while the process that sends is killed ${kills} times`, async () => {
  const smtp = await recordingServer()
  const shared = { MAIL_SECRET: secret, MAIL_MESSAGES_PER_HOUR: '1000000', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' }
  const sending = await testSending({ ...shared, MAIL_ROLES: 'http' })
  const { rows, url } = sending.service.database
  const env = { ...shared, MAIL_ROLES: 'send', MAIL_DATABASE_URL: url, MAIL_FOLDER: sending.folder }
  let sender: MailProcess | undefined
  const ended = async () => Number((await rows<{ n: string }>('SELECT count(*) AS n FROM mail_sent_messages WHERE status IN (2, 3)'))[0]?.n)
  const left = async () => {
    const messages = await rows('SELECT id, mail_server_id, status, phase, attempts FROM mail_sent_messages WHERE status NOT IN (2, 3)')
    return JSON.stringify([
      messages,
      await rows("SELECT state, key, tries, error FROM kit.job WHERE name = 'mail-sending' AND state <> 'done'"),
    ])
  }
  /** Skips the pauses between attempts, which grow to hours. */
  const goOn = async () => {
    await rows('UPDATE mail_sent_messages SET next_attempt_at = NULL WHERE status = 0 AND next_attempt_at IS NOT NULL')
    await rows("UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'mail-sending' AND state = 'waiting' AND run_at > now()")
  }
  try {
    const all: SendingMailbox[] = []
    for (let n = 0; n < mailboxes; n++) all.push(await sending.mailbox({ server_port: smtp.port }))
    for (const mailbox of all) {
      await mailbox.queue(...Array.from({ length: count / mailboxes }, () => ({})))
      await mailbox.send()
    }
    for (let killed = 0; killed < kills; killed++) {
      sender = mailProcess(env)
      const until = smtp.taken.size + Math.floor(count / (2 * kills))
      await eventually(
        async () => {
          await goOn()
          if (smtp.taken.size < until && (await ended()) < count) throw new Error(`${smtp.taken.size} of ${until}: ${await left()}`)
        },
        { timeoutMs: 120_000 },
      )
      await pause(30 * Math.random())
      await sender.kill()
    }
    sender = mailProcess(env)
    await eventually(
      async () => {
        await goOn()
        expect(await ended()).toBe(count)
      },
      { timeoutMs: 120_000 },
    )
    const messages = (await Promise.all(all.map((mailbox) => mailbox.messages()))).flat()
    const takenOf = ({ msg_unique_identifier: id }: { msg_unique_identifier: string }) => smtp.taken.get(id) ?? 0
    const sent = messages.filter(({ status }) => Number(status) === 2)
    const unsure = messages.filter(({ status }) => Number(status) === 3)
    console.info({ sent: sent.length, unsure: unsure.length, delivered: unsure.filter((one) => takenOf(one) === 1).length })
    expect(messages).toHaveLength(count)
    expect(messages.filter((one) => takenOf(one) > 1)).toEqual([])
    expect(sent.filter((one) => takenOf(one) !== 1)).toEqual([])
    expect(unsure.filter(({ error }) => error !== uncertainText)).toEqual([])
    // Three messages of each mailbox are in transmission when the process is killed.
    expect(unsure.length).toBeLessThanOrEqual(kills * mailboxes * 3)
  } finally {
    await sender?.kill()
    await sending.stop()
    await smtp.stop()
  }
})
