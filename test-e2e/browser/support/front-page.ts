import { expect } from '@jest/globals'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Account, Demo } from '../../../deploy/local/src/demo/demo-file.js'
import type { SignedIn } from '../../support/people.js'
import { openPage, type Watched } from './browser.js'

export function accountOf(demo: Demo, role: 'administrator' | 'expert' | 'trainee'): Account {
  const account = demo.offices[0]?.accounts[role]
  if (!account) throw new Error(`The demo has no ${role}.`)
  return account
}

export async function fillIn(page: Page, { username, password }: Pick<Account, 'username' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor({ timeout: 20_000 })

/** Opens the front page and signs in. */
export async function openOffice(browser: Browser, url: string, account: Account, options: BrowserContextOptions = {}): Promise<Watched> {
  const watched = await openPage(browser, url, options)
  await fillIn(watched.page, account)
  await isLive(watched.page)
  return watched
}

export const counter = async (page: Page, name: string) => Number(await page.locator(`[data-counter=${name}] dd`).textContent())

/** The subjects of the shown events, newest first. */
export const subjects = (page: Page) => page.locator('.events .subject').allTextContents()

export async function openCase({ api }: SignedIn, subject: string): Promise<number> {
  const { status, body } = await api.post<{ id: number }>('/issue', { Issue: { subject } })
  expect(status).toBe(201)
  return body.id
}
