import type { Id } from '../caller/index.js'

const limit = 1000

/**
 * All records of a method that lists them in the order of their ids, in pages of up to 1,000: each begins after the last id of the one before.
 * @param ask asks for a page; an empty one is the end
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
