import type { Round } from './measuring/load.js'
import type { Figure } from './scenario.js'

/** A contestant over all rounds: the medians, and what they are medians of. */
export interface Standing extends Round {
  contestant: string
  rounds: readonly Round[]
}

/** A figure beside its aim; `met` is left out where there is none. */
export interface Verdict extends Figure {
  met?: boolean
}

/** What came of a scenario. */
export interface Outcome {
  name: string
  what: string
  verdicts: readonly Verdict[]
  standings: readonly Standing[]
  /** Why it does not count, when it does not. */
  failure?: string
}

export function verdictOf(figure: Figure): Verdict {
  const { value, atLeast, atMost } = figure
  if (atLeast === undefined && atMost === undefined) return figure
  return { ...figure, met: value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) }
}
