import type { IdBlock } from '@caseway/kit/office-data'

/** The ids of an import from `first` to `last`, each of which becomes itself and `shift`. */
export const blockOf = (first: bigint, last: bigint, shift: bigint): IdBlock => ({
  ...{ first: String(first), last: String(last), shift: String(shift), nobody: String(first + shift - 1n) },
})
