import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The violations that axe finds: WCAG 2.2 A and AA, and its best practices. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(', ')})`)
}

/** By how many pixels the page is wider than its window; above 0 people have to scroll sideways. */
export const overflowOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
