import { eventually } from '@caseway/testing'
import { describe, expect, it } from '@jest/globals'
import { signInAs } from '../support/people.js'
import { barriersOn, overflowOf } from './support/barriers.js'
import { keepPicture, openPage } from './support/browser.js'
import { accountOf, fillIn, isLive, openCase, openOffice, subjects } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()

const windows = [
  { name: 'wide', viewport: { width: 1280, height: 860 } },
  { name: 'narrow', viewport: { width: 360, height: 760 } },
]
const cells = windows.flatMap((window) => (['light', 'dark'] as const).map((colorScheme) => ({ ...window, colorScheme })))

describe.each(cells)('in a $name window, $colorScheme', ({ name, viewport, colorScheme }) => {
  const options = { viewport, colorScheme, reducedMotion: 'reduce' } as const

  it('the sign-in page is accessible', async () => {
    const { page, problems } = await openPage(visited.browser, visited.demo.base_url, options)
    await page.getByLabel('E-mail').waitFor()
    expect([await barriersOn(page), await overflowOf(page), problems]).toEqual([[], 0, []])
    await keepPicture(page, `sign-in-${name}-${colorScheme}`)
  })

  it('the office is accessible', async () => {
    const { page, problems } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'), options)
    const colleague = await signInAs(visited.demo, 'administrator')
    const { api, id: owner } = await signInAs(visited.demo, 'expert')
    await openCase(colleague, 'Annual statement of the Kowalska bakery')
    const assigned = await openCase(colleague, 'VAT for October')
    await eventually(async () => expect((await subjects(page))[0]).toContain('VAT'))
    await api.put(`/issue/${assigned}`, { Issue: { user_id: owner } })
    await eventually(async () => expect((await subjects(page))[0]).toContain('open'))
    await api.put(`/issue/${assigned}`, { Issue: { status: 'closed' } })
    await eventually(async () => expect((await subjects(page))[0]).toContain('closed'))
    expect([await barriersOn(page), await overflowOf(page), problems]).toEqual([[], 0, []])
    await keepPicture(page, `office-${name}-${colorScheme}`)
  })
})

it.each(cells)('an open case is accessible: $name, $colorScheme', async ({ name, viewport, colorScheme }) => {
  const options = { viewport, colorScheme, reducedMotion: 'reduce' } as const
  const { page, problems } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'), options)
  const colleague = await signInAs(visited.demo, 'administrator')
  const id = await openCase(colleague, 'Annual statement of the Kowalska bakery')
  const IssueSentence = { issue_id: id, body: 'The balance of last year is missing.' }
  await colleague.api.post('/issue_sentence', { IssueSentence })
  const file = new FormData()
  file.set('file', new Blob(['A balance.']), 'Balance-of-the-Kowalska-bakery-for-the-year-2025-corrected.csv')
  const { body } = await colleague.api.post<{ id: number }>('/common_file', file)
  const CommonFileObject = { common_file_id: body.id, object_name: 'Issue', object_id: id }
  await colleague.api.post('/common_file_object', { CommonFileObject })
  await page.locator(`[data-case="${id}"] button`).click()
  await page.getByText(IssueSentence.body).waitFor()
  await page.getByText('No virus found').waitFor()
  expect([await barriersOn(page), await overflowOf(page), problems]).toEqual([[], 0, []])
  await keepPicture(page, `case-${name}-${colorScheme}`)
  await page.context().close()
})

it('a window of 320 px holds the longest names', async () => {
  const colleague = await signInAs(visited.demo, 'administrator')
  const { id: owner } = await signInAs(visited.demo, 'expert')
  const User = { firstname: 'W'.repeat(100), lastname: '<img src=x onerror=alert(1)>' }
  expect((await colleague.api.put(`/user/${owner}`, { User })).status).toBe(200)
  const id = await openCase(colleague, 'W'.repeat(200))
  await colleague.api.put(`/issue/${id}`, { Issue: { user_id: owner } })
  const options = { viewport: { width: 320, height: 640 } }
  const { page, problems } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'administrator'), options)
  await page.locator(`[data-case="${id}"] button`).click()
  await page.locator('.case .lead', { hasText: User.lastname }).waitFor()
  expect([await overflowOf(page), problems]).toEqual([0, []])
  await page.context().close()
  const own = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'), options)
  expect([await own.page.locator('h1').textContent(), await overflowOf(own.page)]).toEqual([`${User.firstname} ${User.lastname}`, 0])
  await own.page.context().close()
})

it('a window of 360 px holds counters of seven digits', async () => {
  const options = { viewport: { width: 360, height: 640 } }
  const { page } = await openPage(visited.browser, visited.demo.base_url, options)
  const [my, clients] = [1_234_567, 7_654_321]
  const Counter = { Issue: { my, unassigned: my }, MailReceivedMysqlMessage: { clients, others: clients } }
  await page.route('**/rest/counter', (route) => route.fulfill({ json: { Counter } }))
  await page.route('**/rest/event/stream', (route) => route.abort())
  await fillIn(page, accountOf(visited.demo, 'expert'))
  await page.getByText('1,234,567').first().waitFor()
  expect(await overflowOf(page)).toBe(0)
  await page.context().close()
})

it.each(windows)('the bar hides nothing that gets the focus, in a $name window', async ({ viewport: { width } }) => {
  const colleague = await signInAs(visited.demo, 'administrator')
  for (let number = 1; number <= 12; number++) await openCase(colleague, `Of a dozen ${number}`)
  const options = { viewport: { width, height: 400 } }
  const { page } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'), options)
  await page.locator('.cases li button').last().focus()
  const hidden = `(() => {
    const [focused, bar] = [document.activeElement, document.querySelector('.bar')]
    return !bar.contains(focused) && focused.getBoundingClientRect().top < bar.getBoundingClientRect().bottom
  })()`
  for (let number = 1; number <= 14; number++) {
    await page.keyboard.press('Shift+Tab')
    expect([number, await page.evaluate(hidden)]).toEqual([number, false])
  }
  await page.context().close()
})

it('all times are those of the office, wherever the browser is', async () => {
  const options = { timezoneId: 'America/New_York' }
  const { page } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'), options)
  await page.getByText('All times are those of Europe/Warsaw.').waitFor()
  const colleague = await signInAs(visited.demo, 'administrator')
  const id = await openCase(colleague, 'At some hour')
  const happening = page.locator('.events li', { hasText: 'At some hour' })
  const [hour] = (await happening.locator('time').textContent())?.split(':') ?? []
  const { body } = await colleague.api.get<{ Issue: { created: string } }>(`/issue/${id}`)
  const at = new Date(`${body.Issue.created.replace(' ', 'T')}Z`)
  // The event may arrive in the next hour.
  expect([at, new Date(Number(at) + 60_000)].map((time) => time.toISOString().slice(11, 13))).toContain(hour)
  await page.context().close()
})

it('what is written from right to left is shown so', async () => {
  const { page } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'))
  const colleague = await signInAs(visited.demo, 'administrator')
  const subject = 'דוח שנתי!'
  const id = await openCase(colleague, subject)
  await colleague.api.post('/issue_sentence', { IssueSentence: { issue_id: id, body: subject } })
  const directionOf = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`)
  await page.locator('.events', { hasText: subject }).waitFor()
  expect([await directionOf(`[data-case="${id}"] .subject`), await directionOf('.events .subject bdi')]).toEqual(['rtl', 'rtl'])
  await page.locator(`[data-case="${id}"] button`).click()
  await page.locator('.case .body').waitFor()
  await page.getByLabel('Your answer').fill(subject)
  expect([await directionOf('#title-case'), await directionOf('.case .body'), await directionOf('#answer')]).toEqual(['rtl', 'rtl', 'rtl'])
  expect(await barriersOn(page)).toEqual([])
  await page.context().close()
})

it('a lost connection is visible', async () => {
  const { page } = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'))
  await page.context().setOffline(true)
  await page.getByText('Reconnecting').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await keepPicture(page, 'office-reconnecting')
  await page.context().setOffline(false)
  await isLive(page)
})
