import type { DistributedPlatform } from '../platform/distributed.js'

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type DemoOffice = DistributedPlatform['demo']['offices'][number]

/** An expert of each office of the demo. */
export const expertsOf = (distributed: DistributedPlatform): ReturnType<typeof asExpert>[] =>
  distributed.demo.offices.map((office: DemoOffice) => asExpert(distributed, office))

/**
 * Sends requests as an expert of an office of the demo.
 * @throws Error with the answer if it is not 2xx
 */
export function asExpert({ url, tokenFor }: DistributedPlatform, { customer_id: customerId, accounts }: DemoOffice) {
  const token = tokenFor({ userId: Number(accounts.expert.user_id), customerId: Number(customerId) })
  const headers = { 'content-type': 'application/json', ...bearer(token) }
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/rest/${path}`, { method, headers, body: body && JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`)
    return JSON.parse(text || '{}') as { id: number }
  }
}
