/** One claim of a job. */
export interface Claim {
  readonly id: bigint
  /** A fencing token: it grows with each claim of the job, and statements with an older one change nothing. */
  readonly fence: number
}
