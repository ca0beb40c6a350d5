import { afterAll, beforeAll } from '@jest/globals'
import type { Browser } from 'playwright-core'
import type { Demo } from '../../../deploy/local/src/demo/demo-file.js'
import { launch, temporaryHome } from '../../support/platform.js'
import { openBrowser } from './browser.js'

/** A platform and a browser for a test file; both exist when its tests begin. */
export function visitedPlatform(env: Record<string, string> = {}) {
  const { home, remove } = temporaryHome()
  const launcher = launch(home, env)
  const visited = { home } as { readonly home: string; demo: Demo; browser: Browser }
  beforeAll(async () => {
    visited.demo = await launcher.ready()
    visited.browser = await openBrowser()
  })
  afterAll(async () => {
    await visited.browser?.close()
    await launcher.stop()
    remove()
  })
  return visited
}
