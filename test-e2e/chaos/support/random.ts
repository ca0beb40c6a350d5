/** A pseudo-random generator with a seed (mulberry32). */
export interface Random {
  /** An integer below `limit`. */
  below(limit: number): number
  /** A random element; undefined if there is none. */
  oneOf<T>(things: readonly T[]): T | undefined
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, oneOf: (things) => things[below(things.length)] }
}
