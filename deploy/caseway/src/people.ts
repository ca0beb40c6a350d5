import type { Id } from '@caseway/kit/caller'
import { Problem } from './problem.js'
import type { Auth } from './services.js'

/** Finds an account by its e-mail address. @throws Problem where there is none */
export async function personCalled({ administration }: Auth, { email, client = false }: { email: string; client?: boolean }) {
  const account = await administration.accountOf(client ? 'client' : 'expert', email)
  if (!account) throw new Problem(`No ${client ? 'client' : 'employee'} signs in as ${email}.`)
  const person: { kind: 'client' | 'employee'; id: Id } = { kind: client ? 'client' : 'employee', id: account.userId }
  return { person, customerId: account.customerId }
}
