import { type Audience, type Subject, subjectKey } from '@caseway/kit/caller'

/** A password that is tried, and from where. */
export interface Attempt {
  /** Whose password: `signInName` or `presentPassword`. */
  readonly account: string
  /** The networks that the request comes from, the smallest first; see `networksOf` of kit/http. */
  readonly networks: readonly string[]
  /** The person has signed in from here before: such attempts count for this account at these networks alone. */
  readonly known?: boolean
}

/** The account that a sign-in names. It need not exist. */
export const signInName = (audience: Audience, username: string) => `${audience} ${username.toLowerCase()}`

/** The account of a person who has signed in and gives the present password. Not reachable by any name. */
export const presentPassword = (subject: Subject) => `present ${subjectKey(subject)}`

/** Counts failed sign-ins over all copies of the service. */
export interface LoginFailures {
  /** @throws AppError `limit` when there were too many */
  check(attempt: Attempt): Promise<void>
  /** @throws AppError `limit` when it is one too many: others at the same time have used up the tries */
  note(attempt: Attempt): Promise<void>
  /** After a success: this account is no more in question at these networks. */
  clear(attempt: Attempt): Promise<void>
}
