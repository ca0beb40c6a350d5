/** What the sentences of a case say about it. */
export interface Waiting {
  /** Since when its client waits for an answer. */
  readonly waitingSince: Date | null
  readonly firstResponseAt: Date | null
}

/** The case after its client has written: it waits since the first of what is not answered. */
export const asked = ({ waitingSince, firstResponseAt }: Waiting, at: Date): Waiting => ({
  waitingSince: waitingSince ?? at,
  firstResponseAt,
})

/** The case after a reply was sent: it waits no more. */
export const answered = ({ firstResponseAt }: Waiting, at: Date): Waiting => ({
  waitingSince: null,
  firstResponseAt: firstResponseAt ?? at,
})

/** The case after a sentence was removed: of its questions that are not answered, `first` came first. A reply that was removed has answered. */
export const removed = ({ waitingSince, firstResponseAt }: Waiting, first: Date | null): Waiting => ({
  waitingSince: waitingSince && first,
  firstResponseAt,
})

/** What a reply says about the wait that it ends: since when, and how long it was, in whole seconds. */
export const ended = ({ waitingSince }: Waiting, at: Date) => ({
  waitingSince,
  waitingTime: waitingSince && Math.max(0, Math.floor((at.valueOf() - waitingSince.valueOf()) / 1000)),
})
