import { expect, it } from '@jest/globals'
import { signInAs } from '../support/people.js'
import { keepPicture, openPage } from './support/browser.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()

it('/docs signs in with a demo account, calls GET tag and shows the answer', async () => {
  const expert = await signInAs(visited.demo, 'expert')
  await expert.api.post('/tag', { Tag: { name: 'Seen in the browser', color_background: 'c62828', color_text: 'ffffff' } })
  const { page, problems } = await openPage(visited.browser, `${visited.demo.base_url}/docs`)
  // Swagger UI takes seconds to show a document of 0.6 MB, again after a sign-in, and longer while other tests run.
  page.setDefaultTimeout(40_000)

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialog = page.locator('.auth-container', { hasText: 'Token URL' })
  const account = visited.demo.offices[0]?.accounts.expert
  await dialog.getByLabel('username').fill(account?.username ?? '')
  await dialog.getByLabel('password').fill(account?.password ?? '')
  await dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click()
  await dialog.getByText('Authorized').waitFor()
  await dialog.getByText('Close').click()

  await page.locator('#operations-tag-Tag').click()
  const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/rest/tag"]') })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await answer.locator('.response-col_status', { hasText: '200' }).waitFor()
  expect(await answer.locator('.response .response-col_description').textContent()).toContain('"name": "Seen in the browser"')
  // No filter is filled in by default.
  expect(await operation.locator('.request-url pre').textContent()).toBe(`${visited.demo.base_url}/rest/tag`)
  await answer.scrollIntoViewIfNeeded()
  await keepPicture(page, 'docs', { fullPage: false })
  expect(problems).toEqual([])
})
