/** The waiting times of a case. */
export interface Waiting {
  /** The time since which the client waits for an answer; null if they do not wait. */
  readonly waitingSince: Date | null
  readonly firstResponseAt: Date | null
}

/** After a question of the client: the case waits since the first unanswered one. */
export const afterQuestion = ({ waitingSince, firstResponseAt }: Waiting, at: Date): Waiting => ({
  waitingSince: waitingSince ?? at,
  firstResponseAt,
})

/** After a reply was sent: the case no longer waits. */
export const afterReply = ({ firstResponseAt }: Waiting, at: Date): Waiting => ({
  waitingSince: null,
  firstResponseAt: firstResponseAt ?? at,
})

/** After a sentence was removed. `first` is the time of the first remaining unanswered question. Removing a reply does not restore a wait that it has ended. */
export const afterRemoval = ({ waitingSince, firstResponseAt }: Waiting, first: Date | null): Waiting => ({
  waitingSince: waitingSince && first,
  firstResponseAt,
})

/** The wait that a reply ends: its beginning, and its length in whole seconds; both null if the case did not wait. */
export const endedWait = ({ waitingSince }: Waiting, at: Date) => ({
  waitingSince,
  waitingTime: waitingSince && Math.max(0, Math.floor((at.valueOf() - waitingSince.valueOf()) / 1000)),
})
