/**
 * The offices of an installation, which arrive over years. Their sizes are log-normal relative to the office of `docs/operations.md`, whose size is
 * 1.
 */
export interface Growth {
  /** The number at the end of the last year; at the end of the first year it is a hundredth. */
  readonly offices: number
  readonly years: number
  /** Standard deviation of the logarithm of sizes: with 0 all are equal, with 1.5 one of a hundred offices has a size above ten. */
  readonly sigma: number
  readonly seed: number
}

/** The data and requests that an office of size 1 adds to a service, and the capacity of one shard. */
export interface Load {
  readonly gbPerYear: number
  readonly maxGb: number
  /** In the busiest minute. */
  readonly requestsPerSecond: number
  readonly maxRequests: number
}

export interface Policy {
  /** The shard for a new office: the one with the least sufficient room, or the one with the most room. */
  readonly place: 'fullest' | 'emptiest'
  /** The office that leaves an overfull shard. */
  readonly move: 'youngest' | 'largest'
  /** A shard is eligible if it has room for this many months of growth. */
  readonly roomMonths: number
}

export interface Office {
  readonly id: number
  readonly size: number
  gb: number
}

export interface Shard {
  readonly offices: Set<Office>
  gb: number
  /** The total size of its offices. */
  size: number
}

export interface Year {
  readonly year: number
  readonly offices: number
  readonly tb: number
  readonly shards: number
  /** Used shares of a shard's capacity, by the scarcer resource: at the end of the year, and for `most` at the end of any month. */
  readonly fill: { readonly least: number; readonly mean: number; readonly most: number }
  readonly moved: { readonly offices: number; readonly tb: number; readonly largestGb: number }
  /** Of the busiest shard. */
  readonly requests: number
}

/** mulberry32: the same sequence for the same seed. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Random sizes with the mean 1 (Box-Muller transform). */
function sizesOf({ sigma, seed }: Growth) {
  const random = randomOf(seed)
  return () => Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) - sigma ** 2 / 2)
}

export const officesAfter = ({ offices, years }: Growth, month: number): number =>
  Math.round(offices * 100 ** ((month / 12 - years) / Math.max(1, years - 1)))

/** Offices are moved this many months before a shard would be overfull. */
const warningMonths = 2

/** Simulates the growth month by month. @throws Error where an office is larger than a shard */
export function grow(growth: Growth, load: Load, { place, move, roomMonths }: Policy) {
  const nextSize = sizesOf(growth)
  const [offices, shards, years]: [Office[], Shard[], Year[]] = [[], [], []]
  const gbPerMonth = load.gbPerYear / 12
  /** The used share of a shard after some months of growth; requests grow by a tenth per year. */
  const fillOf = ({ gb, size }: { gb: number; size: number }, months = 0) =>
    Math.max((gb + size * gbPerMonth * months) / load.maxGb, (size * load.requestsPerSecond * (1 + months / 120)) / load.maxRequests)

  /** The size of a new office is unknown, and assumed to be 1. */
  const put = (office: Office, known: boolean, not?: Shard) => {
    const fillWith = ({ gb, size }: Shard) => fillOf({ gb: gb + office.gb, size: size + (known ? office.size : 1) }, roomMonths)
    const fitting = shards.filter((shard) => shard !== not && fillWith(shard) <= 1)
    const better = (one: Shard, other: Shard) => fillOf(one, roomMonths) > fillOf(other, roomMonths) === (place === 'fullest')
    let best = fitting.length > 0 ? fitting.reduce((one, other) => (better(other, one) ? other : one)) : undefined
    if (!best) {
      if (fillOf(office, warningMonths) > 1) throw new Error(`Office ${office.id} is larger than a shard: ${Math.round(office.gb)} GB.`)
      // With `emptiest`, a quarter more shards are added at once, because a single one would get all new offices.
      const made = place === 'emptiest' ? Math.ceil((shards.length + 1) / 4) : 1
      for (let nth = 0; nth < made; nth++) shards.push({ offices: new Set(), gb: 0, size: 0 })
      best = shards.at(-1) as Shard
    }
    best.offices.add(office)
    best.gb += office.gb
    best.size += office.size
  }

  let [movedOffices, movedGb, largestGb, most] = [0, 0, 0, 0]
  const relieve = (shard: Shard) => {
    const inOrder = [...shard.offices].sort((one, other) => (move === 'youngest' ? other.id - one.id : other.gb - one.gb))
    for (const office of inOrder) {
      if (fillOf(shard, roomMonths / 2) <= 1) return
      shard.offices.delete(office)
      shard.gb -= office.gb
      shard.size -= office.size
      put(office, true, shard)
      movedOffices += 1
      movedGb += office.gb
      largestGb = Math.max(largestGb, office.gb)
    }
  }

  for (let month = 1; month <= growth.years * 12; month++) {
    for (let id = offices.length; id < officesAfter(growth, month); id++) {
      offices.push({ id, size: nextSize(), gb: 0 })
      put(offices[id] as Office, false)
    }
    for (const shard of shards) {
      for (const office of shard.offices) office.gb += office.size * gbPerMonth
      shard.gb += shard.size * gbPerMonth
      most = Math.max(most, fillOf(shard))
    }
    for (const shard of [...shards]) if (fillOf(shard, warningMonths) > 1) relieve(shard)
    if (month % 12 > 0) continue
    const fills = shards.map((shard) => fillOf(shard))
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
    years.push({
      ...{ year: month / 12, offices: offices.length, tb: sum(offices.map(({ gb }) => gb)) / 1000, shards: shards.length },
      fill: { least: Math.min(...fills), mean: sum(fills) / fills.length, most },
      moved: { offices: movedOffices, tb: movedGb / 1000, largestGb },
      requests: Math.max(...shards.map(({ size }) => size)) * load.requestsPerSecond,
    })
    ;[movedOffices, movedGb, largestGb, most] = [0, 0, 0, 0]
  }
  return { offices, shards, years }
}
