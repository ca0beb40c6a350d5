/**
 * The values of `source`, each of which is begun while the one before it is worked on. What fails is thrown in its turn, after every value before it:
 * a stream of Node.js would drop those that it holds.
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
    // Not waited for: it may be in the middle of something long.
    values.return?.().catch(() => undefined)
  }
}
