import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { dovecot } from '@caseway/testing/dovecot'
import { expect, it } from '@jest/globals'
import { type MailProcess, mailProcess } from '../support/mail-process.js'
import { sha256Of, testReceiving } from '../support/receiving.js'

/** `CHAOS=long` uses the numbers of the acceptance tests. numbers of the acceptance. */
const { count, kills } = process.env.CHAOS === 'long' ? { count: 10_000, kills: 100 } : { count: 1_200, kills: 4 }

const message = () => Buffer.from(`From: a@caseway.test\r\nSubject: ${randomUUID()}\r\n\r\n${randomBytes(3_000).toString('hex')}\r\n`)

it(`of ${count} messages none is lost and none is stored twice while two copies receive and are killed ${kills} times`, async () => {
  const server = await dovecot()
  const shared = { MAIL_SECRET: randomBytes(32).toString('base64') }
  const receiving = await testReceiving(server, { ...shared, MAIL_ROLES: 'http' })
  const { url, rows } = receiving.service.database
  const variables = { ...shared, MAIL_ROLES: 'receive', MAIL_DATABASE_URL: url, MAIL_FOLDER: receiving.folder }
  const start = () => mailProcess({ ...variables, OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_FETCH_INTERVAL_SECONDS: '5' })
  const copies: MailProcess[] = []
  try {
    const mailbox = await receiving.mailbox()
    const sent = Array.from({ length: count }, message)
    const storedCount = async () =>
      Number((await rows<{ n: string }>(`SELECT count(*) AS n FROM mail_received_messages WHERE mail_server_id = ${mailbox.id}`))[0]?.n)
    const arriving = (async () => {
      for (const one of sent) await mailbox.imap.append('INBOX', one)
    })()
    copies.push(start(), start())
    for (let killed = 0; killed < kills; killed++) {
      const until = Math.min((await storedCount()) + Math.floor(count / (kills + 1)), count)
      await eventually(async () => expect(await storedCount()).toBeGreaterThanOrEqual(until), { timeoutMs: 60_000 })
      await pause(100 * Math.random())
      await copies.shift()?.kill()
      copies.push(start())
    }
    await arriving
    await eventually(async () => expect(await storedCount()).toBe(count), { timeoutMs: 60_000 })
    const stored = await mailbox.stored()
    expect(stored.map(({ sha256 }) => sha256).sort()).toEqual(sent.map(sha256Of).sort())
    expect(await mailbox.places()).toBe(count)
    for (const one of stored) expect(sha256Of(await mailbox.bytesOf(one))).toBe(one.sha256)
    expect(await rows('SELECT folder, count FROM folder_counts WHERE count > 0')).toEqual([{ folder: 'OTHERS', count }])
  } finally {
    await Promise.all(copies.map((copy) => copy.kill()))
    await receiving.stop()
    await server.stop()
  }
}, 3_600_000)
