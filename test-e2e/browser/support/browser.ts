import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { repository } from '../../support/platform.js'
import { executablePath } from './chromium.mjs'

const args = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Starts Chromium with a temporary profile. Its sandbox does not work for root. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args, headless: true, chromiumSandbox: process.getuid?.() !== 0 })

export interface Watched {
  readonly page: Page
  /** Script errors, violations of the Content Security Policy, missing files, and requests to other origins. */
  readonly problems: string[]
}

/** Opens a page with its own cookies, storage and cache. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  const { origin } = new URL(url)
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`))
  page.on('console', (message) => {
    // Chromium logs each status above 399 and each lost connection, which are not faults of the page.
    const isNote = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNote) problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: other } = new URL(request.url())
    if (protocol !== 'data:' && other !== origin) problems.push(`request to ${other}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400 && !pathname.startsWith('/rest/')) problems.push(`${pathname}: ${response.status()}`)
  })
  await page.goto(url)
  return { page, problems }
}

const artefacts = join(repository, 'test-e2e/artefacts')

/** Saves a screenshot of the whole page, or of the window. */
export async function keepPicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(artefacts, { recursive: true })
  await page.screenshot({ path: join(artefacts, `${name}.png`), fullPage })
}
