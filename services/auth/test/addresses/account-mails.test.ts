import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { simpleParser } from 'mailparser'
import { type Auth, type Person, randomAddress, startAuthService } from '../support/auth.js'
import { linkOf, type MailedAuth, mailServer, startMailedAuth } from '../support/mail-server.js'

const asks = (auth: Auth, { username }: Person) =>
  auth.http('expert').post('/password_reset', { email: username }, { 'x-forwarded-for': randomAddress() })
const newPassword = (auth: Auth, token: string) =>
  auth.http('expert').post(`/password_reset/${token}`, { password: 'another password' }, { 'x-forwarded-for': randomAddress() })

const patience = { timeoutMs: 20_000 }

interface Job {
  state: string
  tries: number
  error: string | null
}
const jobsOf = ({ database }: Auth, { username }: Person) =>
  database.rows<Job>("SELECT state, tries, error FROM kit.job WHERE payload ->> 'email' = $1", [username])
const oneJob = (auth: Auth, person: Person, is: Partial<Job>) =>
  eventually(async () => expect(await jobsOf(auth, person)).toEqual([expect.objectContaining(is)]), patience)
const runsAgain = ({ database }: Auth) => database.rows("UPDATE kit.job SET run_at = now(), due = now() WHERE state = 'waiting'")

describe('a mail server', () => {
  let auth: MailedAuth
  beforeAll(async () => {
    auth = await startMailedAuth({ AUTH_SMTP_TIMEOUT_MS: '1500' })
  })
  afterAll(() => auth.stop())

  it('gets the mail when it is available again', async () => {
    const { trainee } = await auth.office()
    await auth.server.stop()
    await asks(auth, trainee)
    await oneJob(auth, trainee, { state: 'waiting', error: expect.stringContaining('unavailable') as never })
    await auth.server.start()
    await runsAgain(auth)
    linkOf((await auth.mailsTo(trainee.username))[0])
    await oneJob(auth, trainee, { state: 'done', tries: 1 })
  })

  it.each([
    { at: 'recipient', code: 450 },
    { at: 'message', code: 451 },
    { at: 'message', code: 421 },
  ] as const)('that says $code at the $at for now gets it later', async (obstacle) => {
    const { trainee } = await auth.office()
    auth.server.obstacles.push(obstacle)
    await asks(auth, trainee)
    await auth.mailsTo(trainee.username)
    await oneJob(auth, trainee, { state: 'done', tries: 1 })
  })

  it.each([
    { at: 'recipient', code: 550 },
    { at: 'message', code: 554 },
  ] as const)('that says $code at the $at for good gets it no more, and nothing of it is kept', async (obstacle) => {
    const { trainee } = await auth.office()
    auth.server.obstacles.push(obstacle)
    await asks(auth, trainee)
    await oneJob(auth, trainee, { state: 'done', tries: 1 })
    await auth.mailsTo(trainee.username, 0)
  })

  it('that does not answer may have accepted the mail: it is sent again with the same link and the same Message-ID', async () => {
    const { trainee } = await auth.office()
    auth.server.obstacles.push({ at: 'message', silent: true })
    await asks(auth, trainee)
    const [mail] = await auth.mailsTo(trainee.username)
    const { token } = linkOf(mail)
    const [first, second] = auth.server.received.slice(-2)
    expect(linkOf(first).token).toBe(token)
    expect(first?.messageId).toMatch(/^<[\w-]{43}@caseway\.test>$/)
    expect(second?.messageId).toBe(first?.messageId)
    expect((await newPassword(auth, token)).status).toBe(200)
    await oneJob(auth, trainee, { state: 'done', tries: 2 })
  })

  it('that does not answer gets the mail no more once its link was used', async () => {
    const { trainee } = await auth.office()
    auth.server.obstacles.push({ at: 'message', silent: true })
    await asks(auth, trainee)
    await oneJob(auth, trainee, { state: 'waiting' })
    const { token } = linkOf(auth.server.received.at(-1))
    expect((await newPassword(auth, token)).status).toBe(200)
    await runsAgain(auth)
    await oneJob(auth, trainee, { state: 'done' })
    await auth.mailsTo(trainee.username, 0)
  })

  it('that never answers gets the mail twelve times', async () => {
    const { trainee } = await auth.office()
    auth.server.obstacles.push({ at: 'message', silent: true }, { at: 'message', silent: true })
    await asks(auth, trainee)
    await oneJob(auth, trainee, { state: 'waiting', tries: 1 })
    await auth.database.rows("UPDATE kit.job SET tries = 11 WHERE state = 'waiting'")
    await runsAgain(auth)
    await oneJob(auth, trainee, { state: 'failed', tries: 12 })
    expect(auth.server.obstacles).toEqual([])
  })

  it('leaves no address in the stored error of the job', async () => {
    const errors = await auth.database.rows<{ error: string }>('SELECT error FROM kit.job WHERE error IS NOT NULL')
    expect(errors.length).toBeGreaterThan(0)
    for (const { error } of errors) expect(error).not.toContain('@')
  })
})

describe('a server without TLS', () => {
  it('gets nothing unless the configuration allows it', async () => {
    const server = await mailServer()
    const auth = await startAuthService({ AUTH_SMTP_URL: server.url, AUTH_MAIL_FROM: 'no-reply@caseway.test' })
    const { trainee } = await auth.office()
    await asks(auth, trainee)
    await oneJob(auth, trainee, { state: 'waiting' })
    expect(server.received).toEqual([])
    await auth.stop()
    await server.stop()
  })
})

it('a mail server requires a sender address', async () => {
  await expect(startAuthService({ AUTH_SMTP_URL: 'smtp://127.0.0.1' })).rejects.toThrow('AUTH_MAIL_FROM is required with AUTH_SMTP_URL.')
})

describe('without a server', () => {
  let auth: Auth
  beforeAll(async () => {
    auth = await startAuthService()
  })
  afterAll(() => auth.stop())

  it('each mail is a file that only its owner can read, with a name that reveals nothing', async () => {
    const { trainee } = await auth.office()
    await asks(auth, trainee)
    const folder = join(auth.home, 'mails')
    const [name = ''] = await eventually(async () => {
      const names = await readdir(folder)
      expect(names).toEqual([expect.stringMatching(/^[\dT-]+Z-[\da-f-]{36}\.eml$/)])
      return names
    }, patience)
    expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, name))).mode & 0o777]).toEqual([0o700, 0o600])
    const mail = await simpleParser(await readFile(join(folder, name)))
    expect([mail.to].flat()[0]?.text).toBe(trainee.username)
    expect((await newPassword(auth, linkOf(mail).token)).status).toBe(200)
  })
})
