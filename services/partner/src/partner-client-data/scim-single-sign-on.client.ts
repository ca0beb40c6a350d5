import { AppError, outcomeUnknown } from '@caseway/kit/errors'
import { OutboundError, type OutboundFetch, type OutboundRequest, outboundFetch } from '@caseway/kit/outbound'
import { emailTakenByClient, ssoUnavailable } from './client-data-errors.js'
import { filterFor, foundUser, foundUsers, operationsFor, recordOf, type ScimUser, undoingOf, userOf } from './scim-user.js'
import type { SingleSignOn } from './single-sign-on.js'

export interface ScimOptions {
  /** The base URL of SCIM, without a slash at the end: `/Users` is below it. */
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
}

/** The maximum answer, in bytes. */
const maxBytes = 262_144

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Statuses of a proxy that got no answer: the request may have been carried out. */
const withoutAnswer = [408, 502, 504]

/** Whether a status refuses the request for good. The excluded ones may be caused by the token, the proxy or the load. */
const isRefusal = (status: number) => status >= 400 && status < 500 && ![401, 404, 408, 425, 429].includes(status)

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** @throws OutboundError */
async function ask(fetch: OutboundFetch, url: string, token: string | undefined, request: OutboundRequest = {}): Promise<Answer> {
  const json = 'application/scim+json'
  const headers = {
    accept: json,
    ...(request.body !== undefined && { 'content-type': json }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(url, { ...request, headers })
  return { status: answer.status, body: await answer.json().catch(() => undefined) }
}

const scimTypeOf = (body: unknown) => (body as { scimType?: unknown } | undefined)?.scimType

const isDone = (status: number) => status >= 200 && status < 300

const isTaken = ({ status, body }: Answer) => status === 409 || (status === 400 && scimTypeOf(body) === 'uniqueness')

/** A single sign-on system that speaks SCIM 2.0 (RFC 7644). */
export function scimSingleSignOn({ url, token, timeoutMs }: ScimOptions): SingleSignOn & { close(): Promise<void> } {
  // The operator has configured the host, so it may have a private address.
  const fetch = outboundFetch({ privateHosts: [new URL(url).host], timeoutMs, maxBytes })
  const users = `${url}/Users`

  const read = async <T>(address: string, take: (body: unknown) => T, ifMissing?: T): Promise<T> => {
    try {
      const { status, body } = await ask(fetch, address, token)
      if (status === 404 && ifMissing !== undefined) return ifMissing
      if (status !== 200) throw new Error(`The single sign-on system answered ${status}.`)
      return take(body)
    } catch (error) {
      throw ssoUnavailable(error)
    }
  }

  const search = <T>(email: string, take: (body: unknown, email: string) => T): Promise<T> =>
    read(`${users}?${new URLSearchParams({ filter: filterFor(email) })}`, (body) => take(body, email))
  const find = (email: string): Promise<ScimUser | undefined> => search(email, foundUser)

  /** The user as they are now: by the id, or, where that is gone, by the address, because they may have been created anew. Undefined where neither exists. */
  const userNow = async (id: string, before: string): Promise<ScimUser | undefined> => {
    const user = await read<ScimUser | 'gone'>(`${users}/${encodeURIComponent(id)}`, userOf, 'gone')
    if (user !== 'gone') return user
    const anew = await find(before)
    if (anew?.id === id) throw ssoUnavailable(new Error('The single sign-on system knows a person by their address, and not by their id.'))
    return anew
  }

  const patch = async (id: string, Operations: readonly object[]): Promise<Answer> => {
    const body = JSON.stringify({ schemas: [patchSchema], Operations })
    try {
      return await ask(fetch, `${users}/${encodeURIComponent(id)}`, token, { method: 'PATCH', body })
    } catch (error) {
      throw error instanceof OutboundError && error.reason === 'refused' ? ssoUnavailable(error) : outcomeUnknown(error)
    }
  }

  /** Converts any error to `outcomeUnknown`, for requests after a change was sent. */
  const orUnknown = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw outcomeUnknown(error instanceof AppError ? error.cause : error)
    })

  /** Undoes a change. @param operations the inverse operations; nothing is sent where there are none */
  const takeBack = async (id: string, operations: readonly object[]): Promise<void> => {
    if (operations.length === 0) return
    const { status } = await patch(id, operations)
    if (!isDone(status)) throw outcomeUnknown(new Error(`The single sign-on system answered ${status} when a change was to be taken back.`))
  }

  return {
    close: () => fetch.close(),

    async find(email) {
      const user = await find(email)
      return user && { id: user.id, was: recordOf(user) }
    },

    holders: (email) => search(email, foundUsers),

    async change({ id, was }, before, changes) {
      const outstanding = (user: ScimUser | undefined) => (user ? operationsFor(user, before, changes) : [])
      const user = await userNow(id, before)
      const operations = outstanding(user)
      if (!user || operations.length === 0) return undefined
      const answer = await patch(user.id, operations)
      if (isDone(answer.status)) return undefined
      const failed = new Error(`The single sign-on system answered ${answer.status} to a change.`)
      if (withoutAnswer.includes(answer.status)) throw outcomeUnknown(failed)
      // The system has processed the request, so that the user as it is now shows the effect.
      const after = await orUnknown(userNow(user.id, before))
      const remaining = outstanding(after).length
      if (after && remaining > 0 && (isTaken(answer) || isRefusal(answer.status))) {
        // Of a user with another id the earlier data are unknown.
        const had = was && after.id === id ? was : user
        await orUnknown(takeBack(after.id, undoingOf(after, had, before, changes)))
      }
      if (isTaken(answer) && (!after || remaining > 0)) throw emailTakenByClient()
      if (remaining === 0) return undefined
      if (isRefusal(answer.status)) return failed
      throw remaining === operations.length ? ssoUnavailable(failed) : outcomeUnknown(failed)
    },
  }
}
