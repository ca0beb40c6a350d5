import type { HttpClient } from '@caseway/testing'

export interface Case {
  id: string
  status: string
  user_id: string | null
  delegated_user_id: string | null
  delegated_by: string | null
}

export interface CaseCounter {
  my: number
  unassigned: number
  unaccepted: number
  delegated: number
}

export async function countersOf(api: HttpClient): Promise<CaseCounter> {
  const { body } = await api.get<{ Counter: { Issue: CaseCounter } }>('/counter?object=Issue')
  return body.Counter.Issue
}

/** All cases of the office, page by page. @throws Error that names an answer other than 200 */
export async function allCases(api: HttpClient): Promise<Case[]> {
  const cases: Case[] = []
  let path: string | undefined = '/issue?limit=1000'
  while (path) {
    const { status, body, headers }: Awaited<ReturnType<typeof api.get<{ Issue: Case }[]>>> = await api.get(path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    cases.push(...body.map(({ Issue }) => Issue))
    path = /<[^>]*\/rest([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return cases
}

const activeStatuses = ['new', 'unaccepted', 'open']

/** The counters of `userId`, computed from the cases. */
export function recount(cases: readonly Case[], userId: string): CaseCounter {
  const active = cases.filter(({ status }) => activeStatuses.includes(status))
  return {
    my: active.filter(({ user_id }) => user_id === userId).length,
    unassigned: active.filter(({ user_id }) => user_id === null).length,
    unaccepted: active.filter(({ user_id, status }) => user_id === userId && status === 'unaccepted').length,
    delegated: active.filter(({ delegated_user_id, delegated_by }) => [delegated_user_id, delegated_by].includes(userId)).length,
  }
}
