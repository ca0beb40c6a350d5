/** Response codes with which IMAP servers refuse a command for now (RFC 5530, 3); THROTTLED is used by some servers, and not registered. */
export const temporaryCodes: ReadonlySet<string> = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'OVERQUOTA', 'SERVERBUG', 'THROTTLED'])
