import type { EmployeeRole, Role } from '@caseway/kit/caller'
import { type HttpClient, httpClient } from '@caseway/testing'
import type { Account, Demo } from '../../deploy/local/src/demo/demo-file.js'

interface TokenAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
}

export interface SignedIn {
  id: string
  token: string
  api: HttpClient
}

export async function signIn(baseUrl: string, clientId: string, { user_id, username, password }: Account): Promise<SignedIn> {
  const { status, text, body } = await httpClient(`${baseUrl}/rest`).post<TokenAnswer>('/token', {
    ...{ grant_type: 'password', client_id: clientId, username, password },
  })
  if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${text}`)
  return { id: user_id, token: body.access_token, api: httpClient(`${baseUrl}/rest`, body.access_token) }
}

/** Signs in as an employee of the demo's first or second office. */
export function signInAs(demo: Demo, role: EmployeeRole, office = 0): Promise<SignedIn> {
  const account = demo.offices[office]?.accounts[role]
  if (!account) throw new Error(`The demo has no ${role} in office ${office}.`)
  return signIn(demo.base_url, demo.client_id, account)
}

/** An access token for a role: an employee of the first office, its external platform, or a client. */
export async function signInAsAnybody(demo: Demo, role: Role): Promise<string> {
  const [client] = demo.clients
  if (role === 'client' && client) return (await signIn(demo.client_base_url, demo.client_id, client)).token
  if (role !== 'technical' && role !== 'client') return (await signInAs(demo, role)).token
  const parameters = { grant_type: 'client_credentials', ...demo.offices[0]?.technical }
  const { body } = await httpClient(`${demo.base_url}/rest`).post<TokenAnswer>('/token', parameters)
  return body.access_token
}

/** Paths that administrators may not use, so tests use them as an expert. */
const notForAdministrators = /^\/(mail_server|mail_command|mail_sent_mysql_message|mail_sentence)\b/

/** An administrator of an office of the demo; requests that administrators may not send are sent as an expert. */
export async function administratorOf(demo: Demo, office = 0): Promise<HttpClient> {
  const [administrator, expert] = await Promise.all([signInAs(demo, 'administrator', office), signInAs(demo, 'expert', office)])
  const of = (path: string) => (notForAdministrators.test(path) ? expert : administrator).api
  return {
    request: (method, path, ...sent) => of(path).request(method, path, ...sent),
    get: (path, ...sent) => of(path).get(path, ...sent),
    post: (path, ...sent) => of(path).post(path, ...sent),
    put: (path, ...sent) => of(path).put(path, ...sent),
    delete: (path, ...sent) => of(path).delete(path, ...sent),
    as: (token) => administrator.api.as(token),
  }
}
