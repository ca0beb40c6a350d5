import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'
import { barriersOn, overflowOf } from './support/barriers.js'
import { keepPicture, openBrowser, type Watched } from './support/browser.js'
import { accountOf, counter, openCase, openOffice } from './support/front-page.js'

const { home, remove } = temporaryHome()
let server: Dovecot
let smtp: SMTPServer
let smtpPort: number
const arrived: string[] = []
let launcher: Launcher
let demo: Demo
let browser: Browser
beforeAll(async () => {
  server = await dovecot(withoutPenalty)
  smtp = new SMTPServer({
    ...{ logger: false, authMethods: ['PLAIN'], disabledCommands: ['STARTTLS'] },
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('never') ? Object.assign(new Error(`no such person here ${'W'.repeat(300)}`), { responseCode: 550 }) : null),
    onData: (stream, _, done) => void text(stream).then((message) => done(null, `taken as ${arrived.push(message)}`)),
    onAuth: ({ password, username }, _, done) => (password === server.password ? done(null, { user: username }) : done(new Error('No.'))),
  })
  smtp.on('error', () => undefined)
  await new Promise<void>((done) => smtp.listen(0, server.host, done))
  smtpPort = (smtp.server.address() as { port: number }).port
  launcher = launch(home, { OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_FETCH_INTERVAL_SECONDS: '5' })
  demo = await launcher.ready()
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await launcher?.stop()
  await new Promise<void>((done) => smtp.close(done))
  await server.stop()
  remove()
})

const opened: Watched[] = []
afterEach(async () => {
  const all = opened.splice(0)
  await Promise.all(all.map(({ page }) => page.context().close()))
  expect(all.flatMap(({ problems }) => problems)).toEqual([])
})
const office = async (role: 'expert' | 'trainee' | 'administrator', options = {}) => {
  const watched = await openOffice(browser, demo.base_url, accountOf(demo, role), options)
  opened.push(watched)
  return watched.page
}

const group = (page: Page, name: string) => page.getByRole('group', { name })
async function begin(page: Page, address: string, password: string) {
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await page.getByLabel('Address of the mailbox').fill(address)
  await page.getByLabel('Password of the mailbox').fill(password)
}
async function choose(page: Page, { imap = server.ports.imap, host = server.host } = {}) {
  for (const [name, place, port] of [
    ['Receiving (IMAP)', host, imap],
    ['Sending (SMTP)', server.host, smtpPort],
  ] as const) {
    await group(page, name).getByLabel('Server').fill(place)
    await group(page, name).getByLabel('Port').fill(String(port))
    await group(page, name).getByLabel('Encryption').selectOption('None')
  }
}
const connect = (page: Page) => page.getByRole('button', { name: 'Connect', exact: true }).click()

async function connected(page: Page): Promise<string> {
  const address = `${randomUUID()}@caseway.test`
  await begin(page, address, server.password)
  await choose(page)
  await connect(page)
  await page.getByRole('option', { name: address }).waitFor({ state: 'attached', timeout: 30_000 })
  return address
}

async function write(page: Page, to: string, subject: string) {
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Text').fill('1 < 2\nand so on')
  await page.getByRole('button', { name: 'Send' }).click()
}

describe('who has no mailbox', () => {
  it('connects one: the servers are guessed, failures are shown, and the first fetch is visible', async () => {
    const page = await office('expert')
    await page.getByText('No mailbox is connected.').waitFor()
    const address = `${randomUUID()}@caseway.test`
    await begin(page, address, 'wrong')
    expect(await group(page, 'Receiving (IMAP)').getByLabel('Server').inputValue()).toBe('imap.caseway.test')
    expect(await group(page, 'Sending (SMTP)').getByLabel('Server').inputValue()).toBe('smtp.caseway.test')
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await choose(page)
    await connect(page)
    await page.getByText('Receiving (IMAP): The mail server refused the login.').waitFor()
    await page.getByText('Sending (SMTP): The mail server refused the login.').waitFor()
    expect(await barriersOn(page)).toEqual([])
    expect(await page.locator('[data-mailbox]').count()).toBe(0)

    const message = `From: ann@caseway.test\r\nSubject: ${randomUUID()}\r\n\r\nA text.\r\n`
    await page.getByLabel('Password of the mailbox').fill(server.password)
    const before = await counter(page, 'others')
    await connect(page)
    await page.locator('[data-mailbox]', { hasText: 'Last fetched' }).waitFor({ timeout: 30_000 })
    await page.locator('[data-mailbox]', { hasText: 'Ready' }).waitFor()
    expect(await page.getByLabel('Password of the mailbox').count()).toBe(0)
    // Readable for Dovecot, which runs as the owner of the mail.
    const file = join(tmpdir(), `${randomUUID()}.eml`)
    await writeFile(file, message, { mode: 0o644 })
    await server.doveadm('save', '-u', address, '-m', 'INBOX', file).finally(() => rm(file))
    await eventually(async () => expect(await counter(page, 'others')).toBe(before + 1), { timeoutMs: 30_000 })
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await keepPicture(page, 'mailboxes')
  })

  it('sees that a server does not exist, in a narrow window as well', async () => {
    const page = await office('trainee', { viewport: { width: 360, height: 760 } })
    await begin(page, `${randomUUID()}@caseway.test`, server.password)
    await choose(page, { host: 'nobody.invalid', imap: 993 })
    await connect(page)
    await page.getByText('Receiving (IMAP): The mail server was not found.').waitFor()
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No mailbox is connected.').waitFor()
  })

  it('cancels while the servers are tried, and nothing is connected, also not what is entered next', async () => {
    const page = await office('expert')
    const before = await page.locator('[data-mailbox]').count()
    const address = `${randomUUID()}@caseway.test`
    await begin(page, address, server.password)
    await choose(page)
    const [tried, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/rest/mail_server/test', async (route) => {
      tried.resolve()
      await released.promise
      await route.continue()
    })
    await connect(page)
    await tried.promise
    await page.getByLabel('Address of the mailbox').focus()
    await page.keyboard.type('x')
    expect(await page.getByLabel('Address of the mailbox').inputValue()).toBe(address)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await begin(page, `${randomUUID()}@caseway.test`, 'another')
    const created: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/rest/mail_server')) created.push(request.postData() ?? '')
    })
    const answers = [0, 1].map(() => page.waitForResponse('**/rest/mail_server/test'))
    released.resolve()
    for (const answer of await Promise.all(answers)) await answer.finished()
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    await page.evaluate('fetch("front-page/icon.svg").then((answer) => answer.text())')
    expect([created, await page.locator('[data-mailbox]').count()]).toEqual([[], before])
  })

  it('by their role sees none', async () => {
    const page = await office('administrator')
    await page.getByText('Cases of the office').waitFor()
    expect(await page.getByText('Your mailboxes').count()).toBe(0)
  })
})

describe('who has a mailbox that sends', () => {
  it('writes a message, sees when it was sent, and why another one was not', async () => {
    const page = await office('expert')
    const address = await connected(page)
    await page.getByLabel('From').selectOption(address)
    const subject = randomUUID()
    await write(page, 'one@office.example, two@office.example', subject)
    const sent = page.locator('[data-message]', { hasText: subject })
    await sent.getByText('· Sent').waitFor({ timeout: 30_000 })
    expect(await page.getByLabel('Text').inputValue()).toBe('')
    const message = arrived.find((each) => each.includes(`Subject: ${subject}`))
    expect(message).toContain(` <${address}>\r\nTo: one@office.example, two@office.example\r\n`)
    expect(message).toContain('\r\n1 < 2\r\nand so on\r\n')
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])

    await page.getByLabel('From').selectOption(address)
    await write(page, 'never@office.example', 'To nobody')
    const refused = page.locator('[data-message]', { hasText: 'To nobody' })
    await refused.getByText('550 no such person here').waitFor({ timeout: 30_000 })
    await refused.getByText('· Not sent').waitFor()
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await keepPicture(page, 'written-message')
  })

  it('connects it again with what has changed, and keeps a letter that is half written', async () => {
    const page = await office('trainee')
    const address = await connected(page)
    await page.getByLabel('Text').fill('Half a letter')
    const { api } = await signInAs(demo, 'trainee')
    const boxes = (await api.get<{ MailServer: { id: string; user_email: string; state: string } }[]>('/mail_server?sort=id')).body
    const [{ MailServer: { id } = { id: '' } } = {}] = boxes.filter(({ MailServer }) => MailServer.user_email === address)
    await api.put(`/mail_server/${id}`, { MailServer: { user_password: 'wrong' } })
    const state = () => page.locator(`[data-mailbox="${id}"]`)
    await state().getByText('The mail server refused the login.').waitFor({ timeout: 40_000 })
    await begin(page, address, server.password)
    await choose(page)
    await connect(page)
    await state().getByText('The mail server refused the login.').waitFor({ state: 'detached', timeout: 30_000 })
    await openCase(await signInAs(demo, 'administrator'), 'Between two words')
    await page.locator('.cases li button', { hasText: 'Between two words' }).click()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    expect(await page.getByLabel('Text').inputValue()).toBe('Half a letter')
  })

  it('sees why the platform refuses a message, and keeps its text', async () => {
    const page = await office('trainee', { viewport: { width: 360, height: 760 } })
    await connected(page)
    const tooMany = Array.from({ length: 101 }, (_, index) => `${index}@office.example`).join(',')
    await write(page, tooMany, 'To too many')
    await page.getByRole('alert').getByText('The mail to address must have at most 100 entries.').waitFor()
    expect(await page.getByLabel('Text').inputValue()).toBe('1 < 2\nand so on')
    expect(await page.locator('[data-message]').count()).toBe(0)
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
  })
})
