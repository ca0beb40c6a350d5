import { sslModeOf, sslProblem, staysOnThisMachine } from '../database-address/index.js'
import { isPemFile } from './paths.js'
import { flag, url } from './variables.js'

/** Shared by all services: whether plain text is acceptable depends on the network and not on the service. */
const DATABASE_INSECURE = flag({
  default: false,
  shared: true,
  help: 'Allow plain-text database connections over a network, not only on this machine',
})

const addressOf = (help: string) =>
  url({
    protocols: ['postgres', 'postgresql'],
    secret: true,
    help: `${help}; it may contain \`sslmode\` and \`sslrootcert\`, as in libpq`,
  })

/** The variables of the address of a service's database. `databaseRule` belongs to them. @param help which database, and with which role */
export const databaseAddressVariables = (help: string) => ({ DATABASE_URL: addressOf(help), DATABASE_INSECURE })

/** The same for the migration job, which connects as the owner of the tables. `ownerDatabaseRule` belongs to them. */
export const ownerDatabaseVariables = (help: string) => ({ OWNER_DATABASE_URL: addressOf(help), DATABASE_INSECURE })

interface DatabaseAddress {
  readonly databaseUrl: string
  readonly databaseInsecure: boolean
}

/**
 * The rule of `databaseAddressVariables`: the address is valid, its files are readable, and it demands TLS unless the database is on this machine or
 * `DATABASE_INSECURE` is set.
 */
export const databaseRule = (values: DatabaseAddress, nameOf: (key: 'DATABASE_URL') => string): string[] =>
  problemsOf(values.databaseUrl, values.databaseInsecure, nameOf('DATABASE_URL'))

/** `databaseRule` for `ownerDatabaseVariables`. */
export const ownerDatabaseRule = (
  values: { readonly ownerDatabaseUrl: string; readonly databaseInsecure: boolean },
  nameOf: (key: 'OWNER_DATABASE_URL') => string,
): string[] => problemsOf(values.ownerDatabaseUrl, values.databaseInsecure, nameOf('OWNER_DATABASE_URL'))

function problemsOf(address: string, insecure: boolean, name: string): string[] {
  const problem = sslProblem(address)
  if (problem) return [`${name} ${problem}`]
  const unreadable = unreadableFilesOf(address)
  if (unreadable.length > 0) return [`${name} must have the path of a PEM file that can be read in ${unreadable.join(', ')}.`]
  if (insecure || sslModeOf(address) !== 'disable' || staysOnThisMachine(address)) return []
  return [`${name} must have an sslmode (verify-full with sslrootcert is best): plain text over a network needs DATABASE_INSECURE=true.`]
}

/** The parameters whose file cannot be read. Checked here, because pg would fail only when it connects. */
function unreadableFilesOf(address: string): string[] {
  const { searchParams } = new URL(address)
  return ['sslrootcert', 'sslcert', 'sslkey'].filter((name) => {
    const path = searchParams.get(name)
    return path && path !== 'system' && !isPemFile(path)
  })
}
