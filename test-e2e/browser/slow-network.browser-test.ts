import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Page, Route } from 'playwright-core'
import { type SignedIn, signInAs } from '../support/people.js'
import { openPage, type Watched } from './support/browser.js'
import { accountOf, fillIn, isLive, openCase } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()
let watched: Watched
let page: Page
let colleague: SignedIn
beforeEach(async () => {
  watched = await openPage(visited.browser, visited.demo.base_url)
  page = watched.page
  colleague = await signInAs(visited.demo, 'administrator')
})
afterEach(async () => {
  await page.context().close()
  expect(watched.problems).toEqual([])
})

/** Holds the next request to `path` until `release` is called: before it is sent, or once it is answered. */
async function holdNext(path: string, where: 'request' | 'answer') {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const handle = async (route: Route) => {
    const answer = where === 'answer' ? { response: await route.fetch() } : undefined
    held.resolve()
    await release.promise
    await (answer ? route.fulfill(answer) : route.continue())
  }
  await page.route(`**/rest/${path}`, handle, { times: 1 })
  return { held: held.promise, release: release.resolve }
}

/** What was answered to the page before is seen by it after this. */
const roundTrip = () => page.evaluate('fetch("front-page/icon.svg").then((answer) => answer.text())')

const signIn = () => fillIn(page, accountOf(visited.demo, 'expert'))
const listed = (subject: string) => page.locator('.cases li button', { hasText: subject })

describe('of two cases that are chosen one after the other', () => {
  it('the second one is open, also when the first one is answered later', async () => {
    const slow = await openCase(colleague, 'Chosen first')
    await openCase(colleague, 'Chosen second')
    await signIn()
    const answer = await holdNext(`issue/${slow}`, 'answer')
    await listed('Chosen first').click()
    await answer.held
    await listed('Chosen second').click()
    const field = page.getByLabel('Your answer')
    await field.fill('For the second one alone')
    const answered = page.waitForResponse(`**/rest/issue/${slow}`)
    answer.release()
    await (await answered).finished()
    await roundTrip()
    expect(await page.locator('#title-case').textContent()).toBe('Chosen second')
    expect(await field.inputValue()).toBe('For the second one alone')
    expect(await page.evaluate('document.activeElement.id')).toBe('answer')
  })
})

describe('a case that somebody opens while one signs in', () => {
  it('is listed, also between the list and the stream', async () => {
    const stream = await holdNext('event/stream', 'request')
    await openCase(colleague, 'Opened before the list')
    await signIn()
    await listed('Opened before the list').waitFor()
    await openCase(colleague, 'Opened before the stream')
    stream.release()
    await listed('Opened before the stream').waitFor()
  })

  it('is listed, also when the stream tells it before an older list is answered', async () => {
    await openCase(colleague, 'Opened before both')
    const stream = await holdNext('event/stream', 'request')
    const list = await holdNext('issue?*', 'answer')
    await signIn()
    await list.held
    const again = await holdNext('issue?*', 'answer')
    stream.release()
    await isLive(page)
    await again.held
    const id = await openCase(colleague, 'Opened before the answer')
    const gone = await openCase(colleague, 'Gone before the answer')
    await listed('Gone before the answer').waitFor()
    await colleague.api.delete(`/issue/${gone}`)
    await page.locator('.events').getByText('Removed').waitFor()
    list.release()
    again.release()
    await listed('Opened before both').waitFor()
    expect(await page.locator(`[data-case="${id}"]`).count()).toBe(1)
    expect(await page.locator(`[data-case="${gone}"]`).count()).toBe(0)
  })
})

it('nothing is written into an answer that is being sent, and so nothing is lost with it', async () => {
  await openCase(colleague, 'Answered slowly')
  await signIn()
  await listed('Answered slowly').click()
  const field = page.getByLabel('Your answer')
  await field.fill('The first answer')
  const answer = await holdNext('issue_sentence', 'answer')
  await page.getByRole('button', { name: 'Send' }).click()
  await answer.held
  await field.focus()
  await page.keyboard.type(' and more')
  expect(await field.inputValue()).toBe('The first answer')
  answer.release()
  await page.locator('.case article', { hasText: 'The first answer' }).waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await field.fill('The second answer')
  expect(await field.inputValue()).toBe('The second answer')
})

it('mailboxes that could not be read at first are shown once they can be', async () => {
  await page.route('**/rest/mail_server?*', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
  await signIn()
  await page.getByText('Caseway is not available at the moment.').waitFor()
  expect(await page.getByText('No mailbox is connected.').count()).toBe(0)
  // Whoever waits to try again does so when there is a network again.
  await page.evaluate('dispatchEvent(new Event("online"))')
  await page.getByText('No mailbox is connected.').waitFor()
  expect(await page.getByText('Caseway is not available at the moment.').count()).toBe(0)
})
