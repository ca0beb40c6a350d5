import { eventually, httpClient } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'
import { openBrowser, openPage, type Watched } from './support/browser.js'
import { accountOf, counter, fillIn, isLive, openCase, openOffice, subjects } from './support/front-page.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let browser: Browser
let colleague: SignedIn
beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  browser = await openBrowser()
  colleague = await signInAs(demo, 'administrator')
})
afterAll(async () => {
  await browser?.close()
  await launcher.stop()
  remove()
})

const opened: Watched[] = []
const watched = (one: Watched): Page => {
  opened.push(one)
  return one.page
}
afterEach(async () => {
  const all = opened.splice(0)
  await Promise.all(all.map(({ page }) => page.context().close()))
  expect(all.flatMap(({ problems }) => problems)).toEqual([])
})

const visit = async () => watched(await openPage(browser, demo.base_url))
const office = async () => watched(await openOffice(browser, demo.base_url, accountOf(demo, 'expert')))
/** The token of the next call of the page. */
const tokenOf = async (page: Page) => {
  const [call] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/rest/counter')),
    fillIn(page, accountOf(demo, 'expert')),
  ])
  return (await call.allHeaders()).authorization?.replace('Bearer ', '')
}
const problem = (page: Page) => page.getByRole('alert')

describe('signing in', () => {
  it('with a wrong password shows a sentence', async () => {
    const page = await visit()
    await fillIn(page, { ...accountOf(demo, 'expert'), password: 'wrong' })
    await problem(page).getByText('The user name or the password is incorrect.').waitFor()
    await fillIn(page, accountOf(demo, 'expert'))
    await isLive(page)
  })

  it('too often shows the seconds to wait', async () => {
    const page = await visit()
    const wrong = { ...accountOf(demo, 'trainee'), password: 'wrong' }
    const api = httpClient(`${demo.base_url}/rest`)
    const parameters = { grant_type: 'password', client_id: demo.client_id, username: wrong.username, password: wrong.password }
    for (let tries = 0; tries < 10; tries++) await api.post('/token', parameters)
    await fillIn(page, wrong)
    await problem(page)
      .getByText(/^Too many tries\. Wait \d+ seconds and try again\.$/)
      .waitFor()
  })

  it('without a connection says so', async () => {
    const page = await visit()
    await page.context().setOffline(true)
    await fillIn(page, accountOf(demo, 'expert'))
    await problem(page).getByText('Caseway cannot be reached. Check your connection and try again.').waitFor()
  })

  it('needs no mouse', async () => {
    const page = await visit()
    const { username, password } = accountOf(demo, 'expert')
    await page.keyboard.type(username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await isLive(page)
    expect(await page.locator(':focus').textContent()).toBe('Piotr Zieliński')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('You are signed out.').waitFor()
  })
})

describe('the office', () => {
  it('shows every counter that the API gives', async () => {
    const page = await office()
    const { body } = await (await signInAs(demo, 'expert')).api.get<{ Counter: Record<string, object> }>('/counter')
    const names = Object.values(body.Counter).flatMap((numbers) => Object.keys(numbers))
    expect(await page.locator('[data-counter]').count()).toBe(names.length)
    for (const name of names) expect([name, await counter(page, name)]).toEqual([name, expect.any(Number)])
  })

  it('changes without a reload when somebody else opens a case', async () => {
    const page = await office()
    const before = await counter(page, 'unassigned')
    await page.evaluate('globalThis.thisDocument = true')
    const subject = '<img src=x onerror=alert(1)> & "Bakery"'
    await openCase(colleague, subject)
    await eventually(async () => expect(await counter(page, 'unassigned')).toBe(before + 1))
    await eventually(async () => expect((await subjects(page))[0]).toContain(subject))
    expect(await page.locator('[data-counter=unassigned]').getAttribute('data-change')).toBe('odd')
    expect(await page.evaluate('globalThis.thisDocument')).toBe(true)
  })

  it('keeps the last 50 events, newest first', async () => {
    const page = await office()
    for (let number = 1; number <= 52; number++) await openCase(colleague, `Of many ${number}.`)
    await eventually(async () => expect((await subjects(page))[0]).toContain('Of many 52.'))
    const shown = await subjects(page)
    expect(shown).toHaveLength(50)
    expect(shown.at(-1)).toContain('Of many 3.')
  })
})

describe('a connection that is cut', () => {
  const names = ['First while away', 'Second while away', 'Third while away']

  it('is reported, and the stream resumes', async () => {
    const page = await office()
    await openCase(colleague, 'Before the cut')
    await eventually(async () => expect((await subjects(page))[0]).toContain('Before the cut'))
    const before = await counter(page, 'unassigned')
    const resumed = page.waitForRequest((request) => request.url().endsWith('/rest/event/stream'))
    await page.context().setOffline(true)
    await page.getByText('Reconnecting').waitFor()
    for (const name of names) await openCase(colleague, name)
    await page.context().setOffline(false)
    await isLive(page)
    expect((await (await resumed).allHeaders())['last-event-id']).toBeTruthy()
    await eventually(async () => expect(await counter(page, 'unassigned')).toBe(before + 3))
    const shown = (await subjects(page)).slice(0, 4).map((text) => text.replace(/ #.*/s, ''))
    expect(shown).toEqual([...names.toReversed(), 'Before the cut'])
  })

  it('is restored after a restart of the platform', async () => {
    const page = await office()
    const { port } = new URL(demo.base_url)
    await launcher.stop()
    await page.getByText('Reconnecting').waitFor()
    launcher = launch(home, { HTTP_PORT: port })
    await launcher.ready()
    await openCase(await signInAs(demo, 'administrator'), 'After the start')
    await isLive(page)
    await eventually(async () => expect((await subjects(page))[0]).toContain('After the start'))
  })
})

describe('a session', () => {
  it('is renewed before its token expires', async () => {
    const page = await visit()
    await page.clock.install()
    await fillIn(page, accountOf(demo, 'expert'))
    await isLive(page)
    const renewals: string[] = []
    page.on('request', (request) => {
      if (request.postData()?.includes('refresh_token')) renewals.push(request.url())
    })
    // The fast-forwarded silence ends the stream, and the next one needs a token.
    await page.clock.fastForward('14:30')
    await eventually(() => expect(renewals).toHaveLength(1))
    await isLive(page)
    const before = await counter(page, 'unassigned')
    await openCase(await signInAs(demo, 'administrator'), 'With the next token')
    await eventually(async () => expect(await counter(page, 'unassigned')).toBe(before + 1))
    expect(renewals).toHaveLength(1)
  })

  it('is renewed once for concurrent calls', async () => {
    const page = await visit()
    await page.clock.install()
    const { username, password } = accountOf(demo, 'expert')
    const begin = `import('/front-page/session.js').then(({ Session }) => Session.begin('${demo.client_id}', ${JSON.stringify({ username, password })}))`
    const session = await page.evaluateHandle<{ token(): Promise<string> }>(begin)
    const before = await session.evaluate((begun) => begun.token())
    await page.clock.fastForward('14:30')
    const tokens = await session.evaluate((begun) => Promise.all([begun.token(), begun.token(), begun.token()]))
    expect([new Set(tokens).size, tokens.includes(before)]).toEqual([1, false])
    expect((await httpClient(demo.base_url, tokens[0]).get('/rest/counter')).status).toBe(200)
  })

  it('is over when its owner signs out', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    const api = httpClient(demo.base_url, token)
    await isLive(page)
    expect((await api.get('/rest/counter')).status).toBe(200)
    const revocation = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect((await revocation).status()).toBe(200)
    expect((await api.get('/rest/counter')).status).toBe(401)
  })

  it('cannot be ended without a connection, which is reported', async () => {
    const page = await office()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out here, but Caseway could not be told').waitFor()
  })

  it('that was ended elsewhere ends here', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    await isLive(page)
    await httpClient(demo.base_url, token).delete('/rest/token')
    await page.getByText('Your session has ended. Sign in again.').waitFor()
  })

  it('is over when the page is left', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    await isLive(page)
    await page.goto(`${demo.base_url}/docs`)
    await eventually(async () => expect((await httpClient(demo.base_url, token).get('/rest/counter')).status).toBe(401))
  })
})
