import type { EmployeeRole } from '@caseway/kit/caller'

interface Name {
  readonly firstname: string
  readonly lastname: string
}

interface PlannedOffice {
  readonly name: string
  readonly timeZone: string
  /** The domain of its people's e-mail addresses. */
  readonly domain: string
  readonly people: Readonly<Record<EmployeeRole, Name>>
}

/** Two offices in different time zones. */
export const offices: readonly PlannedOffice[] = [
  {
    name: 'Nowak and Partners',
    timeZone: 'Europe/Warsaw',
    domain: 'nowak.example',
    people: {
      administrator: { firstname: 'Anna', lastname: 'Nowak' },
      expert: { firstname: 'Piotr', lastname: 'Zieliński' },
      specialist: { firstname: 'Ewa', lastname: 'Lis' },
      trainee: { firstname: 'Jan', lastname: 'Wójcik' },
    },
  },
  {
    name: 'Almeida Advisers',
    timeZone: 'Europe/Lisbon',
    domain: 'almeida.example',
    people: {
      administrator: { firstname: 'Rita', lastname: 'Almeida' },
      expert: { firstname: 'Tiago', lastname: 'Rocha' },
      specialist: { firstname: 'Inês', lastname: 'Duarte' },
      trainee: { firstname: 'Nuno', lastname: 'Faria' },
    },
  },
]

/** Clients with the indexes of their offices in `offices`. */
export const clients = [
  { email: 'marta@client.example', firstname: 'Marta', lastname: 'Kowalska', phone: '+48 22 555 01 10', offices: [0, 1] },
  { email: 'oskar@client.example', firstname: 'Oskar', lastname: 'Berg', phone: '+46 8 555 02 20', offices: [0] },
] as const

/** The public application of the frontends, which have no secret. */
export const frontends = { clientId: 'caseway-frontends', name: 'Caseway in the browser' }
