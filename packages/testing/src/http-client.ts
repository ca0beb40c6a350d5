export interface HttpAnswer<Body> {
  status: number
  headers: Headers
  /** The body as text. */
  text: string
  /** The parsed body if it is JSON, otherwise undefined. The type is not verified. */
  body: Body
}

type Headers = globalThis.Headers
type RequestHeaders = Record<string, string>

/** Calls one address as one caller. A string or FormData is sent as it is, any other body as JSON. */
export interface HttpClient {
  request<Body = unknown>(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<HttpAnswer<Body>>
  get<Body = unknown>(path: string, headers?: RequestHeaders): Promise<HttpAnswer<Body>>
  post<Body = unknown>(path: string, body?: unknown, headers?: RequestHeaders): Promise<HttpAnswer<Body>>
  put<Body = unknown>(path: string, body?: unknown, headers?: RequestHeaders): Promise<HttpAnswer<Body>>
  delete<Body = unknown>(path: string, headers?: RequestHeaders): Promise<HttpAnswer<Body>>
  /** A client of the same address with another token, or without one. */
  as(token?: string): HttpClient
}

/** @param baseUrl may have a path: with `${url}/expert/rest` the path `/tag` is sufficient */
export function httpClient(baseUrl: string, token?: string): HttpClient {
  async function request<Body>(method: string, path: string, body?: unknown, headers: RequestHeaders = {}): Promise<HttpAnswer<Body>> {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = /^application\/([a-z.]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: (isJson && text ? JSON.parse(text) : undefined) as Body }
  }
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
    as: (other) => httpClient(baseUrl, other),
  }
}

/** The version in the entity tag of a record; undefined without one. */
export const versionOf = ({ headers }: Pick<HttpAnswer<unknown>, 'headers'>): number | undefined => {
  const [, version] = /^"([0-9]+)-[\w-]{16}"$/.exec(headers.get('etag') ?? '') ?? []
  return version === undefined ? undefined : Number(version)
}

/** The header `If-None-Match` for a cached `answer` (RFC 9110 13.1.2). */
export const having = ({ headers }: Pick<HttpAnswer<unknown>, 'headers'>) => ({ 'if-none-match': headers.get('etag') ?? '' })

/** The answer to a request with invalid fields. @param errorMessages what is wrong, by the name of the field */
export const invalidFields = (errorMessages: object) => ({ status: 400, body: { status: 'error', errorMessages } })
