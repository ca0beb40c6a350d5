/**
 * The headers of an answer that the pages of the widget's origin can read, and no others (Fetch Standard, CORS protocol). They are the same for
 * every request, so that caches need no `Vary`. No frame may show the answer but in these pages.
 */
export const widgetOriginHeaders = ({ url }: { readonly url: string }) => ({
  'access-control-allow-origin': url,
  'access-control-expose-headers': 'Retry-After',
  'content-security-policy': `default-src 'none'; frame-ancestors ${url}`,
})
