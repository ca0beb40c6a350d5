import type { Contestant } from './contestant.js'
import type { DistributedPlatform } from './platform/distributed.js'

export interface Settings {
  /** Rounds of each contestant; the median of them counts. */
  rounds: number
  /** Of one round. */
  seconds: number
}

/** What is asked of two contestants: how many times as fast `of` is as `to`. */
export interface Ratio {
  of: string
  to: string
  atLeast: number
  atMost?: number
}

interface Named {
  name: string
  what: string
}

/** Contestants that take turns, round by round, and how they should compare. */
export interface Comparison extends Named {
  contestants(distributed: DistributedPlatform): Promise<Record<string, Contestant>>
  aims: readonly Ratio[]
}

/** One number and what it should be. */
export interface Figure {
  what: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

/** Figures of another kind than answers a second. */
export interface Experiment extends Named {
  measure(distributed: DistributedPlatform, settings: Settings): Promise<Figure[]>
}

/** One that starts a platform of its own. */
export interface Standalone extends Named {
  measureAlone(settings: Settings): Promise<Figure[]>
}

export type Scenario = Comparison | Experiment | Standalone
