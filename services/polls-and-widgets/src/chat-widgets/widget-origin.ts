/**
 * The headers that let only pages of the widget's origin read an answer (Fetch Standard, CORS protocol). They are the same for
 * every request, so that caches need no `Vary`. Only these pages may show the answer in a frame.
 */
export const widgetOriginHeaders = ({ url }: { readonly url: string }) => ({
  'access-control-allow-origin': url,
  'access-control-expose-headers': 'Retry-After',
  'content-security-policy': `default-src 'none'; frame-ancestors ${url}`,
})
