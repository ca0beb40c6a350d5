/** The outcome of sending an answer. */
export type Outcome =
  | { readonly kind: 'stored' | 'closed' | 'long' | 'failed' }
  | { readonly kind: 'wrong'; readonly indexes: readonly string[] }
  | { readonly kind: 'wait'; readonly seconds: number }

/** The maximum size of an answer, in bytes. Checked here, because the page could not read the refusal of a larger one. */
const maxBytes = 65_536
const timeoutMs = 30_000
const defaultWaitSeconds = 60

/** Sends an answer. A network error and a server error are `failed`, after which it may be sent again. */
export async function send(url: string, blocks: readonly object[]): Promise<Outcome> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(blocks)
  if (new TextEncoder().encode(body).length > maxBytes) return { kind: 'long' }
  const request = {
    ...{ method: 'POST', headers, body },
    credentials: 'omit',
    signal: AbortSignal.timeout(timeoutMs),
  } as const
  try {
    const response = await fetch(url, request)
    switch (response.status) {
      case 201:
        return { kind: 'stored' }
      case 400:
        return { kind: 'wrong', indexes: Object.keys((await response.json()).errorMessages) }
      case 404:
        return { kind: 'closed' }
      case 429:
        return { kind: 'wait', seconds: Number(response.headers.get('retry-after')) || defaultWaitSeconds }
    }
  } catch {}
  return { kind: 'failed' }
}
