import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A third-party web page whose policy only allows the embedded script. */
export interface EmbeddingPage {
  /** The origin, as in the header `Origin`. */
  readonly origin: string
  /** Another origin under which the same page is reachable. */
  readonly otherOrigin: string
  /** Sets the embedded script. */
  embed(script: string): void
  stop(): Promise<void>
}

const policy = (origin: string) =>
  [
    ...["default-src 'none'", 'img-src data:', "base-uri 'none'", "form-action 'none'", `script-src ${origin}`, `connect-src ${origin}`],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; ')

const html = (script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,"></head>
<body><main><h1>A shop</h1><script src="${script}" async></script></main></body></html>`

export async function embeddingPage(): Promise<EmbeddingPage> {
  let script = ''
  const server = createServer((_request, response) => {
    response.setHeader('content-security-policy', policy(new URL(script).origin))
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html(script))
  })
  await new Promise<void>((listening) => server.listen(0, listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    embed(source) {
      script = source
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Script errors and violations of the policy. */
  readonly problems: string[]
}

/** Opens the page with a profile of its own. */
export async function visitOf(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    // Chromium logs each status above 399 and each lost connection, which are not faults of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  await page.goto(url)
  return { page, context, problems }
}
