import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type SignedIn, signInAs } from '../support/people.js'
import { barriersOn } from './support/barriers.js'
import { type EmbeddingPage, embeddingPage, type Visit, visitOf } from './support/embedding-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()

const long = 'Donaudampfschifffahrt'.repeat(5)
const options = [{ value: 'Yes' }, { value: `No${long}` }]
const blocks = [
  { type: 'shortQuestion', data: { title: 'Your job', required: true } },
  { type: 'oneOptionQuestion', data: { title: `One ${long}`, required: true, options } },
  { type: 'multipleOptionQuestion', data: { title: `Several ${long}`, options } },
  { type: 'selectQuestion', data: { title: 'Where', options } },
  {
    type: 'lineScaleQuestion',
    data: { title: 'Grade', line_scale: [{ label_from: { text: long, value: 0 } }, { label_to: { text: long, value: 50 } }] },
  },
  { type: 'contact', data: {} },
]

let shop: EmbeddingPage
let expert: SignedIn
beforeAll(async () => {
  shop = await embeddingPage()
  expert = await signInAs(visited.demo, 'expert')
  const widget = await expert.api.post<{ id: number; external_hash: string }>('/chat_widget', { ChatWidget: { url: shop.origin } })
  const Poll = { name: `Our ${long}`, chat_widget_id: widget.body.id, blocks }
  const { body } = await expert.api.post<{ id: number }>('/poll', { Poll })
  expect((await expert.api.post(`/poll/${body.id}/publish`)).status).toBe(200)
  shop.embed(`${visited.demo.client_base_url}/widgets/${widget.body.external_hash}/widget.js`)
})
afterAll(() => shop.stop())

const visits: Visit[] = []
async function visit(): Promise<Visit> {
  const visit = await visitOf(visited.browser, shop.origin)
  visits.push(visit)
  await visit.page.getByLabel('Your job').waitFor()
  return visit
}
afterEach(async () => {
  for (const { context, problems } of visits.splice(0)) {
    expect(problems).toEqual([])
    await context.close()
  }
})

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focused = (page: Page) =>
  page.evaluate("(() => { const e = document.querySelector('main > div').shadowRoot.activeElement; return e && e.textContent })()")
const stored = async (job: string) =>
  (await expert.api.get<{ results: { poll_json: string }[] }>('/poll_answer')).body.results.filter(({ poll_json }) =>
    poll_json.includes(job),
  )

it('fits a screen of 320 pixels', async () => {
  const { page } = await visit()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  await page.getByRole('button').click()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  expect(await barriersOn(page)).toEqual([])
})

it('is answered with the keyboard alone, and sent again from the button after a lost connection', async () => {
  const { page, context } = await visit()
  await press(page, 'Tab')
  await page.keyboard.type('Piper')
  // Radio buttons, two checkboxes, the options, the scale, and five fields of the contact.
  await press(page, 'Tab', 'Space', 'Tab', 'Tab', 'Space', 'Tab', 'ArrowDown', 'Tab')
  await page.keyboard.type('40')
  await press(page, ...Array.from({ length: 6 }, () => 'Tab'))
  expect(await focused(page)).toBe('Send')
  await context.setOffline(true)
  await press(page, 'Enter')
  await page.getByText('They are kept here.').waitFor()
  expect(await focused(page)).toBe('Try again')
  await context.setOffline(false)
  await press(page, 'Enter')
  await page.getByText('Thank you for your answers.').waitFor()
  expect(await focused(page)).toBe('Thank you for your answers.')
  expect(await stored('Piper')).toHaveLength(1)
})

it('sends an answer once, however often it is submitted while the network is slow', async () => {
  const { page } = await visit()
  let requests = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/poll_answers/save', async (route) => {
    requests++
    await released
    await route.continue()
  })
  await page.getByLabel('Your job').fill('Smith')
  await page.getByLabel('Yes').first().check()
  await page.getByLabel('Your job').focus()
  await press(page, 'Enter', 'Enter', 'Enter')
  await page.getByRole('button').click({ force: true })
  release()
  await page.getByText('Thank you for your answers.').waitFor()
  expect([requests, await stored('Smith')]).toEqual([1, [expect.anything()]])
})

it('keeps the drafts of two tabs apart', async () => {
  const { page, context } = await visit()
  const other = await context.newPage()
  await other.goto(shop.origin)
  await page.getByLabel('Your job').fill('Miller')
  await other.getByLabel('Your job').fill('Carter')
  for (const tab of [page, other]) await tab.reload()
  const jobs = await Promise.all([page, other].map((tab) => tab.getByLabel('Your job').inputValue()))
  expect(jobs).toEqual(['Miller', 'Carter'])
})
