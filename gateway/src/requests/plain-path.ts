/**
 * Whether a request's target is written in the one way that is known here: segments of unreserved characters (RFC 3986 2.3), none of
 * them empty, `.` or `..`, or none at all. No two spellings name one thing, so that what is checked is what the service sees.
 */
export const isPlain = (target: string): boolean => /^(?:\/|(?:\/(?!\.{1,2}(?:[/?]|$))[A-Za-z0-9._~-]+)+)(?:\?|$)/.test(target)
