import { eventually, httpClient } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type SignedIn, signInAs } from '../support/people.js'
import { barriersOn } from './support/barriers.js'
import { keepPicture } from './support/browser.js'
import { type EmbeddingPage, embeddingPage, type Visit, visitOf } from './support/embedding-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()

const blocks: { type: string; data: { title?: string } & Record<string, unknown> }[] = [
  { type: 'shortQuestion', data: { title: 'What is your job?', required: true } },
  { type: 'longQuestion', data: { title: 'What else?' } },
  { type: 'oneOptionQuestion', data: { title: 'Did we help?', required: true, options: [{ value: 'Yes' }, { value: 'No' }] } },
  { type: 'multipleOptionQuestion', data: { title: 'With what?', required: true, options: [{ value: 'Tax' }, { value: 'Law' }] } },
  { type: 'selectQuestion', data: { title: 'Where?', options: [{ value: 'Łódź' }, { value: 'Kraków' }] } },
  {
    type: 'lineScaleQuestion',
    data: { title: 'How was it?', line_scale: [{ label_from: { text: 'bad', value: 1 } }, { label_to: { text: 'good', value: 5 } }] },
  },
  {
    type: 'lineScaleQuestion',
    data: { title: 'Per cent?', line_scale: [{ label_from: { text: '', value: 0 } }, { label_to: { text: '', value: 50 } }] },
  },
  { type: 'contact', data: {} },
]

let shop: EmbeddingPage
let expert: SignedIn
let script: string
let poll: number
beforeAll(async () => {
  shop = await embeddingPage()
  expert = await signInAs(visited.demo, 'expert')
  const settings = JSON.stringify({ open_case: true, texts: { send: 'Off it goes' } })
  const widget = await expert.api.post<{ id: number; external_hash: string }>('/chat_widget', {
    ChatWidget: { url: shop.origin, settings },
  })
  const Poll = { name: 'Our service', chat_widget_id: widget.body.id, blocks: blocks }
  const created = await expert.api.post<{ id: number }>('/poll', { Poll })
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
  poll = created.body.id
  expect((await expert.api.post(`/poll/${poll}/publish`)).status).toBe(200)
  script = `${visited.demo.client_base_url}/widgets/${widget.body.external_hash}/widget.js`
  shop.embed(script)
})
afterAll(() => shop.stop())

const visits: Visit[] = []
async function visit(url = shop.origin): Promise<Visit> {
  const visit = await visitOf(visited.browser, url)
  visits.push(visit)
  return visit
}
/** No visit may cause an error of the script, a violation of the page's policy, or a cookie. */
afterEach(async () => {
  for (const { context, problems } of visits.splice(0)) {
    expect([problems, await context.cookies()]).toEqual([[], []])
    await context.close()
  }
})

async function fillIn(page: Page, job: string): Promise<void> {
  await page.getByLabel('What is your job?').fill(job)
  await page.getByLabel('Yes').check()
  await page.getByLabel('Law').check()
  await page.getByLabel('Where?').selectOption('Kraków')
  await page.getByLabel('3', { exact: true }).check()
  await page.getByLabel('Per cent?').fill('40')
}
const button = (page: Page) => page.getByRole('button')
const thanks = (page: Page) => page.getByText('Thank you for your answers.')

interface Answers {
  results: { id: number; poll_json: string; email: string }[]
}
const stored = async (job: string) =>
  (await expert.api.get<Answers>('/poll_answer')).body.results.filter(({ poll_json }) => poll_json.includes(job))

it('every question is shown, and accessible', async () => {
  const { page } = await visit()
  await page.getByRole('heading', { name: 'Our service' }).waitFor()
  expect(await button(page).textContent()).toBe('Off it goes')
  for (const { data } of blocks) if (data.title) await page.getByText(data.title).waitFor()
  await page.getByLabel('E-mail').waitFor()
  const styled = "getComputedStyle(document.querySelector('main > div').shadowRoot.querySelector('button')).backgroundColor"
  expect(await page.evaluate(styled)).toBe('rgb(26, 79, 160)')
  expect(await barriersOn(page)).toEqual([])
  await keepPicture(page, 'widget')
})

it('missing required answers are marked, and the first one has the focus', async () => {
  const { page } = await visit()
  await page.getByLabel('Per cent?').fill('40')
  await button(page).click()
  const job = page.getByLabel('What is your job?')
  expect([await job.getAttribute('aria-invalid'), await job.evaluate((element) => element.matches(':focus'))]).toEqual(['true', true])
  expect(await page.getByText('Please answer this question.').count()).toBe(3)
  expect(await page.getByRole('radiogroup', { name: 'Did we help?' }).getAttribute('aria-invalid')).toBe('true')
  expect(await barriersOn(page)).toEqual([])
  await job.fill('Baker')
  await button(page).click()
  expect(await job.getAttribute('aria-invalid')).toBe('false')
  expect(await page.getByLabel('Yes').evaluate((element) => element.matches(':focus'))).toBe(true)
})

it('an answer is sent once, thanked for, and opens a case for the expert', async () => {
  const { page } = await visit()
  await fillIn(page, 'Weaver')
  await page.getByLabel('E-mail').fill('weaver@example.com')
  await page.getByLabel('Last name').fill('Nowak')
  await button(page).click()
  await thanks(page).waitFor()
  expect(await barriersOn(page)).toEqual([])
  const answers = await stored('Weaver')
  expect(answers).toMatchObject([{ email: 'weaver@example.com' }])
  const sent = JSON.parse(answers[0]?.poll_json ?? '[]') as { type: string; data: object }[]
  expect(sent.slice(1)).toMatchObject([
    { data: { value: 'Weaver' } },
    { data: { value: '' } },
    { data: { options: [{ value: 'Yes', selected: true }, { value: 'No' }] } },
    { data: { options: [{ value: 'Tax' }, { value: 'Law', selected: true }] } },
    { data: { options: [{ value: 'Łódź' }, { value: 'Kraków', selected: true }] } },
    { data: { value: 3 } },
    { data: { value: 40 } },
    { type: 'contact', data: { email: 'weaver@example.com', lastname: 'Nowak' } },
  ])
  await eventually(async () => {
    const { body } = await expert.api.get<{ Issue: { subject: string; source: string } }[]>('/issue?sort=-id&limit=1')
    expect(body).toMatchObject([{ Issue: { subject: 'Our service', source: 'poll', status: 'new' } }])
  })
  await page.reload()
  expect(await page.getByLabel('What is your job?').inputValue()).toBe('')
})

it('typed answers survive a reload', async () => {
  const { page } = await visit()
  await fillIn(page, 'Cooper')
  await page.reload()
  expect(await page.getByLabel('What is your job?').inputValue()).toBe('Cooper')
  expect(await page.getByLabel('Yes').isChecked()).toBe(true)
  await button(page).click()
  await thanks(page).waitFor()
  expect(await stored('Cooper')).toHaveLength(1)
})

it('answers typed for one poll are not shown in another one of the same version', async () => {
  const { body } = await expert.api.post<{ id: number; external_hash: string }>('/chat_widget', { ChatWidget: { url: shop.origin } })
  const publish = async (name: string) => {
    const Poll = { name, chat_widget_id: body.id, blocks }
    const { id } = (await expert.api.post<{ id: number }>('/poll', { Poll })).body
    await expert.api.post(`/poll/${id}/publish`)
  }
  shop.embed(`${visited.demo.client_base_url}/widgets/${body.external_hash}/widget.js`)
  await publish('The first')
  const { page } = await visit()
  await fillIn(page, 'Cooper')
  await publish('The second')
  await page.evaluate(`fetch('${visited.demo.client_base_url}/polls/${body.external_hash}', { cache: 'reload' })`)
  await page.reload()
  await page.getByRole('heading', { name: 'The second' }).waitFor()
  expect(await page.getByLabel('What is your job?').inputValue()).toBe('')
  shop.embed(script)
})

it('refused answers are marked', async () => {
  const { page } = await visit()
  await fillIn(page, 'Potter')
  await page.getByLabel('E-mail').fill('nowhere')
  await button(page).click()
  await page.getByText('Please check this answer.').waitFor()
  expect(await page.getByLabel('First name').evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.getByLabel('E-mail').fill('potter@example.com')
  await button(page).click()
  await thanks(page).waitFor()
})

it('a change of the questions is reported', async () => {
  const { page } = await visit()
  await fillIn(page, 'Tailor')
  const publish = async (blocks: object[]) => {
    await expert.api.put(`/poll/${poll}`, { Poll: { blocks: blocks } })
    await expert.api.post(`/poll/${poll}/publish`)
  }
  await publish([...blocks, { type: 'shortQuestion', data: { title: 'Since when?', required: true } }])
  await button(page).click()
  await page.getByText('The questions have changed. Please load the page again.').waitFor()
  expect(await stored('Tailor')).toEqual([])
  await publish(blocks)
})

it('a lost network is reported, typed answers are kept, and can be sent again', async () => {
  const { page, context } = await visit()
  await fillIn(page, 'Sailor')
  await context.setOffline(true)
  await button(page).click()
  await page.getByText('Your answers could not be sent. They are kept here.').waitFor()
  expect([await button(page).textContent(), await page.getByLabel('What is your job?').inputValue()]).toEqual(['Try again', 'Sailor'])
  expect(await barriersOn(page)).toEqual([])
  await context.setOffline(false)
  await button(page).click()
  await thanks(page).waitFor()
  expect(await stored('Sailor')).toHaveLength(1)
})

it('an answer that is too long is not sent, and can be shortened', async () => {
  const { page } = await visit()
  await fillIn(page, 'Writer')
  await page.getByLabel('Company').fill('ż'.repeat(33_000))
  await button(page).click()
  await page.getByText('Your answers are too long. Please shorten them.').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await page.getByLabel('Company').fill('Żółw')
  await button(page).click()
  await thanks(page).waitFor()
  expect(await stored('Writer')).toHaveLength(1)
})

it('a page of another origin shows nothing and stays as it is', async () => {
  const { page, problems } = await visit(shop.otherOrigin)
  await eventually(() => expect(problems.join()).toContain('blocked by CORS policy'))
  expect(await page.evaluate('document.body.innerText.trim()')).toBe('A shop')
  problems.length = 0
})

it('after too many answers the page waits, and then sends the typed ones', async () => {
  const { page } = await visit()
  await fillIn(page, 'Runner')
  const visitor = httpClient(visited.demo.client_base_url)
  const { body } = await visitor.get<{ Poll: { blocks: object[] } }>(`/polls/${script.split('/').at(-2)}`)
  const [header] = body.Poll.blocks
  const flood = () => visitor.post('/poll_answers/save', [header])
  await eventually(async () => expect((await flood()).status).toBe(429))
  await button(page).click()
  await page.getByText('Too many answers were sent. Yours are kept and sent in').waitFor()
  expect([await button(page).isDisabled(), await page.getByLabel('What is your job?').inputValue()]).toEqual([true, 'Runner'])
  expect(await stored('Runner')).toEqual([])
  await thanks(page).waitFor({ timeout: 62_000 })
  expect(await stored('Runner')).toHaveLength(1)
}, 90_000)
