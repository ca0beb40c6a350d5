/** The option of imapflow by which numbers are UIDs. */
export const uid = { uid: true } as const

/** A sequence set (RFC 9051, 9). */
export const setOf = (uids: readonly bigint[]) => uids.join(',')

/** The highest UID (RFC 9051, 2.3.1.1). */
export const maxUid = 2n ** 32n - 1n
