import type { Id } from '../caller/index.js'

const limit = 1000

/**
 * Yields all records of a list method with keyset pagination by id, in pages of up to 1,000.
 * @param ask fetches the page after the id `after`, in the order of ids; an empty page is the end
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
