/** Hashes passwords slowly, a few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** False at the same cost when there is no hash to compare with: how long it takes tells nothing about an account. */
  matches(hash: string | null, password: string): Promise<boolean>
}
