import type { Id } from '../caller/index.js'

const limit = 1000

/**
 * Whatever there is, page by page, where a method lists it in the order of ids: each page begins after the last record of the one before.
 * @param ask gives a page, which is empty when there is no more
 */
export async function* pagesById<Row extends { id: Id }>(
  ask: (page: { after: Id; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let page = await ask({ after: 0n, limit })
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page
    page = await ask({ after: last.id, limit })
  }
}
