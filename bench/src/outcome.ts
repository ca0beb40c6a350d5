import type { Round } from './measuring/load.js'
import type { Figure } from './scenario.js'

/** The result of a contestant: the medians over all rounds. */
export interface Standing extends Round {
  contestant: string
  rounds: readonly Round[]
}

/** A figure and whether it meets its aim; `met` is undefined without an aim. */
export interface Verdict extends Figure {
  met?: boolean
}

/** The result of a scenario. */
export interface Outcome {
  name: string
  what: string
  verdicts: readonly Verdict[]
  standings: readonly Standing[]
  /** Why the scenario is invalid, if it is. */
  failure?: string
}

export function verdictOf(figure: Figure): Verdict {
  const { value, atLeast, atMost } = figure
  if (atLeast === undefined && atMost === undefined) return figure
  return { ...figure, met: value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) }
}
