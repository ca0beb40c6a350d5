/** The option of imapflow by which numbers are UIDs. */
export const uid = { uid: true } as const

/** A sequence set (RFC 9051, 9). */
export const setOf = (uids: readonly bigint[]) => uids.join(',')
