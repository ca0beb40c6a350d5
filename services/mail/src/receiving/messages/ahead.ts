/**
 * Yields the values of `source`, and requests the next one while the consumer works on the present one. An error is thrown after every value before
 * it; a stream of Node.js would drop the values that it holds.
 */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]()
  const begin = () => {
    const begun = values.next()
    begun.catch(() => undefined)
    return begun
  }
  try {
    for (let next = begin(); ; ) {
      const { done, value } = await next
      if (done) return
      next = begin()
      yield value
    }
  } finally {
    // Not awaited: the source may be in the middle of something long.
    values.return?.().catch(() => undefined)
  }
}
