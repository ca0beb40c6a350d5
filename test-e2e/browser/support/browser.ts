import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { repository } from '../../support/platform.js'
import { executablePath } from './chromium.mjs'

const args = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Chromium with a profile that goes with it. Its sandbox refuses to work for root. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args, headless: true, chromiumSandbox: process.getuid?.() !== 0 })

export interface Watched {
  readonly page: Page
  /** What a page must not do: errors of its scripts, violations of its policy, missing files, requests to others. */
  readonly problems: string[]
}

/** A page at `url` with cookies, storage and cache of its own. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  const { origin } = new URL(url)
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`))
  page.on('console', (message) => {
    // Chromium notes each status above 399 and each lost connection, which are no faults of the page.
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

/** Keeps a picture of a whole page, or of what is in the window, beside those of other tests. */
export async function keepPicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(artefacts, { recursive: true })
  await page.screenshot({ path: join(artefacts, `${name}.png`), fullPage })
}
