/** Headers of HTML pages (Fetch Standard, Referrer Policy, HTML Standard): no MIME sniffing, no `Referer`, no shared browsing context group. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * The Content Security Policy (Level 3) of our pages: no foreign origins, no inline code, no framing.
 * @param connect origins, besides its own, that the page calls
 * @param more further directives for this page
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
