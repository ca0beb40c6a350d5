import type { EmployeeRole } from '@caseway/kit/caller'
import type { HttpClient } from '@caseway/testing'
import type { Auth, Office } from './auth.js'

/** An office with two signed-in people. */
export interface StaffedOffice {
  office: Office
  administrator: HttpClient
  expert: HttpClient
  /** The ids of its built-in roles, by name. */
  roleIds: Record<string, string>
}

export async function staffedOffice(auth: Auth): Promise<StaffedOffice> {
  const office = await auth.office()
  const administrator = await auth.asExpert(office.administrator)
  const { body } = await administrator.get<{ UserRole: { id: string; name: string } }[]>('/user_role')
  const roleIds = Object.fromEntries(body.map(({ UserRole }) => [UserRole.name, UserRole.id]))
  return { office, administrator, expert: await auth.asExpert(office.expert), roleIds }
}

/** An office with one of its employees signed in. */
export async function signedInOffice(auth: Auth, role: EmployeeRole = 'administrator'): Promise<{ office: Office; http: HttpClient }> {
  const office = await auth.office()
  return { office, http: await auth.asExpert(office[role]) }
}
