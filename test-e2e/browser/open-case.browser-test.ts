import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
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
  await page.clock.install()
  await fillIn(page, accountOf(visited.demo, 'expert'))
  await isLive(page)
  colleague = await signInAs(visited.demo, 'administrator')
})
afterEach(async () => {
  await page.context().close()
  expect(watched.problems).toEqual([])
})

const field = () => page.getByLabel('Your answer')
const back = () => page.getByRole('button', { name: 'Back to the list' })
const send = () => page.getByRole('button', { name: 'Send' })
const bodies = () => page.locator('.case article .body').allTextContents()
const says = (issue_id: number, body: string) => colleague.api.post('/issue_sentence', { IssueSentence: { issue_id, body } })

async function choose(id: number) {
  await page.locator(`[data-case="${id}"] button`).click()
  await field().waitFor()
}

async function opened(subject: string): Promise<number> {
  const id = await openCase(colleague, subject)
  await choose(id)
  return id
}

it('a double click moves a case once, also when the next move appears under the pointer between its clicks', async () => {
  const id = await opened('Clicked twice')
  const box = await page.getByRole('button', { name: 'Take', exact: true }).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
  await page.mouse.down({ clickCount: 1 })
  await page.mouse.up({ clickCount: 1 })
  await page.getByRole('button', { name: 'Put aside', disabled: false }).waitFor()
  const moves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') moves.push(request.postData() ?? '')
  })
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await page.evaluate('fetch("front-page/icon.svg").then((answer) => answer.text())')
  expect(moves).toEqual([])
  expect((await colleague.api.get(`/issue/${id}`)).body).toMatchObject({ Issue: { status: 'open' } })
})

describe('an answer', () => {
  it('that is half written is there again after a look at the list, until it is sent', async () => {
    const id = await opened('Half an answer')
    await field().fill('The first half')
    await back().click()
    const other = await opened('Another case')
    expect(await field().inputValue()).toBe('')
    await back().click()
    await choose(id)
    expect(await field().inputValue()).toBe('The first half')
    await send().click()
    await eventually(async () => expect([await bodies(), await field().inputValue()]).toEqual([['The first half'], '']))
    await back().click()
    await choose(other)
    await back().click()
    await choose(id)
    expect(await field().inputValue()).toBe('')
  })

  it('that could not be sent is reported in the list, and kept, if its case was left meanwhile', async () => {
    const id = await opened('Left too early')
    const released = Promise.withResolvers<void>()
    const held = page.waitForRequest('**/rest/issue_sentence')
    await page.route(
      '**/rest/issue_sentence',
      async (route) => {
        await released.promise
        await route.abort()
      },
      { times: 1 },
    )
    await field().fill('Not lost')
    await send().click()
    await held
    await back().click()
    released.resolve()
    await page
      .getByRole('alert')
      .getByText(/^#\d+: Caseway cannot be reached\./)
      .waitFor()
    await choose(id)
    expect(await field().inputValue()).toBe('Not lost')
  })

  it('that was sent is not sent again because the case could not be read after it', async () => {
    const id = await opened('Read badly')
    await page.route(`**/rest/issue/${id}`, (route) => route.fulfill({ status: 503, body: '{}' }))
    await field().fill('Said once')
    await send().click()
    await page.getByRole('alert').getByText('Caseway is not available at the moment.').waitFor()
    expect(await field().inputValue()).toBe('')
    await page.unroute(`**/rest/issue/${id}`)
  })
})

describe('an open case', () => {
  it('shows what was said, also when it could not be read as it was told', async () => {
    const id = await opened('Told, but not read')
    await page.route('**/rest/issue_sentence?*', (route) => route.fulfill({ status: 503, body: '{}' }))
    const told = page.waitForResponse((answer) => answer.url().includes('/rest/issue_sentence?') && answer.status() === 503)
    await says(id, 'Said in a bad moment')
    await told
    await page.unroute('**/rest/issue_sentence?*')
    await eventually(async () => {
      await page.clock.fastForward('00:15')
      expect(await bodies()).toEqual(['Said in a bad moment'])
    })
  })

  it('that is gone is reported, also when the stream does not tell it', async () => {
    const id = await opened('Gone in silence')
    await page.route(`**/rest/issue/${id}`, (route) => route.fulfill({ status: 404, body: '{}' }))
    await eventually(async () => {
      await page.clock.fastForward('00:15')
      expect(await page.getByRole('alert').allTextContents()).toContain('The case that you had open is gone.')
    })
  })

  it('says so when it has more sentences than are shown', async () => {
    const id = await openCase(colleague, 'A long story')
    for (let number = 1; number <= 99; number++) await says(id, `${number}`)
    await choose(id)
    expect(await page.getByText('The newest 100 sentences are shown.').count()).toBe(0)
    await says(id, 'The hundredth')
    await says(id, 'One more')
    await page.getByText('The newest 100 sentences are shown.').waitFor()
  })
})
