import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type SignedIn, signInAs } from '../support/people.js'
import type { Watched } from './support/browser.js'
import { accountOf, openCase, openOffice } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()
let watched: Watched
let page: Page
let expert: SignedIn
let colleague: SignedIn
beforeEach(async () => {
  watched = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'))
  page = watched.page
  await page.evaluate('globalThis.thisDocument = true')
  expert = await signInAs(visited.demo, 'expert')
  colleague = await signInAs(visited.demo, 'administrator')
})
afterEach(async () => {
  // The page was not reloaded.
  expect(await page.evaluate('globalThis.thisDocument')).toBe(true)
  await page.context().close()
  expect(watched.problems).toEqual([])
})

const caseButton = (subject: string) => page.locator('.cases li button', { hasText: subject })
const heading = (name: string) => page.getByRole('heading', { name, level: 2 })
const state = () => page.locator('.case .lead')
const bodies = () => page.locator('.case article .body').allTextContents()
const answers = async (id: number) =>
  (await expert.api.get<{ IssueSentence: { body: string } }[]>(`/issue_sentence?issue_id=${id}`)).body.map(
    ({ IssueSentence }) => IssueSentence.body,
  )
const says = (who: SignedIn, issue_id: number, body: string) => who.api.post('/issue_sentence', { IssueSentence: { issue_id, body } })

async function opened(subject: string): Promise<number> {
  const id = await openCase(colleague, subject)
  await caseButton(subject).click()
  await heading(subject).waitFor()
  return id
}

describe('an expert', () => {
  it('opens a case, reads what was said, and answers', async () => {
    const id = await openCase(colleague, 'Bakery, VAT')
    await says(colleague, id, 'The client has called.')
    await caseButton('Bakery, VAT').click()
    await heading('Bakery, VAT').waitFor()
    expect(await bodies()).toEqual(['The client has called.'])
    await page.getByLabel('Your answer').fill('The return is filed.\nNothing is due.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.case article', { hasText: 'Nothing is due.' }).getByText('You').waitFor()
    expect(await answers(id)).toEqual(['The client has called.', 'The return is filed.\nNothing is due.'])
    expect(await page.getByLabel('Your answer').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await heading('Cases of the office').waitFor()
  })

  it('accepts a case that a colleague gave them, and closes it', async () => {
    const id = await opened('To be accepted')
    await colleague.api.put(`/issue/${id}`, { Issue: { user_id: expert.id } })
    await state().getByText('unaccepted · You').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await state().getByText('open · You').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await state().getByText('closed').waitFor()
    expect((await expert.api.get(`/issue/${id}`)).body).toMatchObject({ Issue: { status: 'closed', user_id: String(expert.id) } })
  })

  it('searches by words, among sentences as well, and lists all cases again', async () => {
    const id = await openCase(colleague, 'Żółty fiat')
    await says(colleague, id, 'The invoice is from Kraków.')
    await openCase(colleague, 'Found by nobody')
    await caseButton('Found by nobody').waitFor()
    const field = page.getByRole('searchbox', { name: 'Search' })
    await field.fill('zolty krakow')
    await field.press('Enter')
    await page.getByRole('status').getByText('1 case was found.').waitFor()
    expect(await page.locator('.cases li').allTextContents()).toEqual([expect.stringContaining('Żółty fiat')])
    await openCase(colleague, 'Opened while searching')
    await colleague.api.put(`/issue/${id}`, { Issue: { status: 'closed' } })
    await caseButton('Żółty fiat').getByText('closed').waitFor()
    expect(await page.locator('.cases li').count()).toBe(1)
    await caseButton('Żółty fiat').click()
    await heading('Żółty fiat').waitFor()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    expect(await field.inputValue()).toBe('zolty krakow')
    await field.fill('')
    await caseButton('Opened while searching').waitFor()
  })

  it('needs no mouse', async () => {
    await openCase(colleague, 'By keyboard')
    await caseButton('By keyboard').focus()
    await page.keyboard.press('Enter')
    await heading('By keyboard').waitFor()
    expect(await page.locator(':focus').textContent()).toBe('By keyboard')
    for (const name of ['Take', 'Reject']) {
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe(name)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.type('Typed.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await bodies()).toEqual(['Typed.']))
    expect(await page.locator(':focus').textContent()).toBe('Send')
    await page.getByRole('button', { name: 'Take' }).press('Enter')
    await state().getByText('open · You').waitFor()
    expect(await page.locator(':focus').textContent()).toBe('By keyboard')
    await page.getByRole('button', { name: 'Back to the list' }).press('Enter')
    expect(await page.locator(':focus').textContent()).toBe('Cases of the office')
  })
})

describe('a change of a colleague', () => {
  it('arrives in the case that is open, and what is being written stays', async () => {
    const id = await opened('Seen by both')
    await page.getByLabel('Your answer').fill('Half a sent')
    await says(colleague, id, 'I have asked the client.')
    await eventually(async () => expect(await bodies()).toEqual(['I have asked the client.']))
    await colleague.api.put(`/issue/${id}`, { Issue: { status: 'pending', subject: 'Seen by both, renamed' } })
    await heading('Seen by both, renamed').waitFor()
    await state().getByText('pending').waitFor()
    expect(await page.getByLabel('Your answer').inputValue()).toBe('Half a sent')
  })

  it('arrives in the list, where nothing moves under the focus', async () => {
    const id = await openCase(colleague, 'Is in focus')
    await caseButton('Is in focus').focus()
    await openCase(colleague, 'Comes before it')
    await caseButton('Comes before it').waitFor()
    await colleague.api.put(`/issue/${id}`, { Issue: { status: 'closed' } })
    await caseButton('Is in focus').getByText('closed').waitFor()
    expect(await page.locator(':focus').textContent()).toContain('Is in focus')
  })

  it('that removes the case is reported', async () => {
    const id = await opened('To be removed')
    await page.getByLabel('Your answer').fill('Half a sent')
    await colleague.api.delete(`/issue/${id}`)
    await page.getByRole('alert').getByText('The case that you had open is gone.').waitFor()
    expect(await caseButton('To be removed').count()).toBe(0)
    expect(await page.locator(':focus').textContent()).toBe('Cases of the office')
  })
})

describe('what goes wrong', () => {
  it('is shown where it happened, and no written text is lost', async () => {
    const id = await opened('Without a connection')
    await page.getByLabel('Your answer').fill('Not lost')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('Caseway cannot be reached. Check your connection and try again.').waitFor()
    await page.context().setOffline(false)
    expect(await page.getByLabel('Your answer').inputValue()).toBe('Not lost')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => expect(await bodies()).toEqual(['Not lost']))
    expect(await answers(id)).toEqual(['Not lost'])
  })

  it('shows the message of the API', async () => {
    const id = await opened('A move too late')
    const taken = Promise.withResolvers<void>()
    await page.route(`**/rest/issue/${id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      await colleague.api.put(`/issue/${id}`, { Issue: { status: 'open' } })
      taken.resolve()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Take' }).click()
    await taken.promise
    const { errorMessages } = (await colleague.api.put(`/issue/${id}`, { Issue: { status: 'open' } })).body as { errorMessages: string }
    await page.getByRole('alert').getByText(errorMessages).waitFor()
    await state().getByText('open').waitFor()
  })

  it('with the response only has its effect once, however often the request is sent', async () => {
    const id = await opened('A lost answer')
    await page.route(
      '**/rest/issue_sentence',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByLabel('Your answer').fill('Sent once')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('Caseway cannot be reached').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => expect(await page.getByLabel('Your answer').inputValue()).toBe(''))
    expect(await answers(id)).toEqual(['Sent once'])
  })
})

it('what people write is shown as text, not as HTML', async () => {
  const image = '<img src=x onerror="globalThis.thisDocument = false">'
  const id = await opened(image)
  await says(colleague, id, image)
  await eventually(async () => expect(await bodies()).toEqual([image]))
  expect(await page.locator('.case img').count()).toBe(0)
})
