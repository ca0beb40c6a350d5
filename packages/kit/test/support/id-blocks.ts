import type { IdBlock } from '@caseway/kit/office-data'

/** An `IdBlock` that adds `shift` to each id from `first` to `last`. */
export const blockOf = (first: bigint, last: bigint, shift: bigint): IdBlock => ({
  ...{ first: String(first), last: String(last), shift: String(shift), nobody: String(first + shift - 1n) },
})
