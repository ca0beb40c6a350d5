/** Does what is asked for the same thing one after the other, in the order in which it was asked. */
export function inTurn<Key>() {
  const last = new Map<Key, Promise<unknown>>()
  return <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    last.set(key, mine)
    mine.then(forget, forget)
    return mine
  }
}
