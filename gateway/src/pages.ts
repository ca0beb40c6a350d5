/** Fetch Standard, Referrer Policy and HTML Standard, for what a browser shows: no guessed types, no `Referer`, no shared windows. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Content Security Policy (Level 3) of our own pages: nothing from elsewhere, nothing inline, no frame around them.
 * @param connect origins besides its own that the page calls
 * @param more directives that only this page can bear
 */
export const contentPolicy = (connect: readonly string[] = [], more: readonly string[] = []) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')
