import { otpOf, wrongOtpOf } from '@caseway/testing/one-time-password'
import { expect, it } from '@jest/globals'
import { signInAs } from '../support/people.js'
import { openPage } from './support/browser.js'
import { accountOf, fillIn, isLive } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()

it('somebody with a second factor is asked for a code, and gets in with it', async () => {
  const account = accountOf(visited.demo, 'trainee')
  const { api } = await signInAs(visited.demo, 'trainee')
  const path = '/user/me/second_factor'
  const begun = await api.post<{ SecondFactor: { secret: string } }>(path, { SecondFactor: { current_password: account.password } })
  const { secret } = begun.body.SecondFactor
  const confirmed = await api.put<{ SecondFactor: { recovery_codes: string[] } }>(path, { SecondFactor: { otp: otpOf(secret) } })

  const { page, problems } = await openPage(visited.browser, visited.demo.base_url)
  const code = page.getByLabel('One-time password, or a recovery code')
  await page.getByLabel('E-mail').waitFor()
  expect(await code.count()).toBe(0)
  await fillIn(page, account)
  await page.getByRole('alert').getByText('A one-time password is required.').waitFor()
  expect(await page.locator(':focus').getAttribute('name')).toBe('otp')
  await page.keyboard.type(wrongOtpOf(secret))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The one-time password is incorrect.').waitFor()
  await code.fill(confirmed.body.SecondFactor.recovery_codes[0] ?? '')
  await page.keyboard.press('Enter')
  await isLive(page)
  expect(problems).toEqual([])
})
