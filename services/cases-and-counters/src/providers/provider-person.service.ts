import type { Employee, Id } from '@caseway/kit/caller'
import type { References } from '@caseway/kit/database'
import { providerPersonEmailUsed } from '../errors.js'
import type { ProviderPersonRepository } from './provider-person.repository.js'
import type { ProviderPersonChanges } from './provider-person.resource.js'

export const providerPersonService = (persons: ProviderPersonRepository, named: References<'provider_id' | 'issue_initiator_id'>) => ({
  ...persons,

  async fieldErrors(caller: Employee, sent: ProviderPersonChanges, id?: Id) {
    const used = sent.email !== undefined && (await persons.withEmail(caller, sent.email)).some((person) => person.id !== id)
    return { ...(await named.fieldErrors(caller, sent)), ...(used && providerPersonEmailUsed().fields) }
  },
})
