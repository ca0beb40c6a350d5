import type { Audience } from '@caseway/kit/caller'

/** Who tries to sign in, and from where. */
export interface Attempt {
  readonly audience: Audience
  readonly username: string
  /** As the gateway saw it. */
  readonly address: string
}

/** Counts failed sign-ins over all copies of the service. */
export interface LoginFailures {
  /** @throws AppError `limit` when there were too many */
  check(attempt: Attempt): Promise<void>
  /** @throws AppError `limit` when it is one too many: others at the same time have used up the tries */
  note(attempt: Attempt): Promise<void>
  /** After a success: this account is no more in question at this address. */
  clear(attempt: Attempt): Promise<void>
}
