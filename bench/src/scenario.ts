import type { Contestant } from './contestant.js'
import type { DistributedPlatform } from './platform/distributed.js'

export interface Settings {
  /** Number of rounds per contestant; the median counts. */
  rounds: number
  /** Duration of one round. */
  seconds: number
}

/** The aim of a comparison: how many times as fast `of` is as `to`. */
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

/** Contestants that are measured alternately, round by round, and the aims of their ratios. */
export interface Comparison extends Named {
  contestants(distributed: DistributedPlatform): Promise<Record<string, Contestant>>
  aims: readonly Ratio[]
}

/** A number and its aim. */
export interface Figure {
  what: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

/** A scenario with other figures than requests per second. */
export interface Experiment extends Named {
  measure(distributed: DistributedPlatform, settings: Settings): Promise<Figure[]>
}

/** A scenario that starts a platform of its own. */
export interface Standalone extends Named {
  measureAlone(settings: Settings): Promise<Figure[]>
}

export type Scenario = Comparison | Experiment | Standalone
