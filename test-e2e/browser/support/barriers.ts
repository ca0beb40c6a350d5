import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong: WCAG 2.2 A and AA, and its best practices. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(', ')})`)
}

/** A page that is wider than its window makes people scroll sideways. */
export const overflowOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
