import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { linkOf } from '../../deploy/local/src/mails.js'
import { signInAs } from '../support/people.js'
import { openPage } from './support/browser.js'
import { fillIn, isLive } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const visited = visitedPlatform()
const names = { firstname: 'Ewa', lastname: 'Lis' }

/** The link of the latest mail to an address, from the folder of mails. */
const linkTo = (email: string): Promise<string> =>
  eventually(() => {
    const folder = join(visited.home, 'mails')
    const lines = readdirSync(folder).map((name) => linkOf(readFileSync(join(folder, name), 'utf8')))
    const found = lines.find((line) => line?.startsWith(`Mail to ${email}: `))
    if (!found) throw new Error(`No mail to ${email} has arrived.`)
    return found.slice(found.indexOf('http'))
  })

it('an employee who was invited chooses a password and signs in', async () => {
  const { api } = await signInAs(visited.demo, 'administrator')
  const email = `${randomUUID()}@nowak.example`
  expect((await api.post('/user', { User: { ...names, email } })).status).toBe(201)

  const { page, problems } = await openPage(visited.browser, await linkTo(email))
  await page.getByRole('heading', { name: 'Welcome to Caseway' }).waitFor()
  expect(page.url()).not.toContain('#')
  await page.getByLabel('New password').fill('password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The password').waitFor()
  await page.getByLabel('New password').fill('a long and uncommon sentence')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password is set. Sign in with it.').waitFor()
  await fillIn(page, { username: email, password: 'a long and uncommon sentence' })
  await isLive(page)
  expect(problems).toEqual([])
})

it('a client who was invited chooses a password on the address for clients, once', async () => {
  const { api } = await signInAs(visited.demo, 'administrator')
  const email = `${randomUUID()}@client.example`
  expect((await api.post('/client', { Client: { ...names, email } })).status).toBe(201)

  const link = await linkTo(email)
  expect(link).toContain(new URL(visited.demo.client_base_url).origin)
  for (const outcome of ['Your password is set.', 'The token is not valid, has expired or was used already.']) {
    const { page, problems } = await openPage(visited.browser, link)
    await page.getByLabel('New password').waitFor()
    await page.keyboard.type('a long and uncommon sentence')
    await page.keyboard.press('Enter')
    await page.getByText(outcome).waitFor()
    expect(await page.locator(':focus').count()).toBe(1)
    expect(problems).toEqual([])
  }
})

it('the link that confirms an address is followed with the keyboard alone', async () => {
  const { page, problems } = await openPage(visited.browser, `${visited.demo.base_url}/#/email_confirmation/used`)
  await page.getByRole('button', { name: 'Confirm the address' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('The token is not valid, has expired or was used already.').waitFor()
  expect(await page.locator(':focus').textContent()).toBe('Confirm the address')
  expect(problems).toEqual([])
})
