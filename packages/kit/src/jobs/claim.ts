/** Names one claim of a job: after the next claim every statement with this fence changes nothing. */
export interface Claim {
  readonly id: bigint
  readonly fence: number
}
