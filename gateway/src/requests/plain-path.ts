/**
 * Whether a request target has the only spelling that is accepted: `/`, or non-empty segments of unreserved characters (RFC 3986 2.3) without `.` and
 * `..`. As no two spellings name the same path, the gateway checks exactly what the service receives.
 */
export const isPlain = (target: string): boolean => /^(?:\/|(?:\/(?!\.{1,2}(?:[/?]|$))[A-Za-z0-9._~-]+)+)(?:\?|$)/.test(target)
