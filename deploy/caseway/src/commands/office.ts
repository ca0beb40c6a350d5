import type { Id } from '@caseway/kit/caller'
import { email, idText, integer, line, webAddress, zone } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { newPassword } from '../passwords.js'
import { exitCodes, noOffice, orProblem, Problem } from '../problem.js'
import { openAuth, using } from '../services.js'
import { addOfficeDeletion } from './office-deletion.js'
import { addOfficeExport } from './office-export.js'
import { addOfficeImport } from './office-import.js'

/** The profile of an office. */
interface Profile {
  street?: string
  zip?: string
  city?: string
  voivodeship?: number
  phone?: string
  officeEmail?: string
  url?: string
}

interface NewOffice extends Profile {
  name: string
  timeZone: string
  email: string
  firstname: string
  lastname: string
}

interface ChangedOffice extends Profile {
  office: Id
  name?: string
  timeZone?: string
}

const name = asField(line({ max: 100 }))
const timeZone = ['--time-zone <zone>', 'the IANA name of its time zone, such as Europe/Warsaw', asField(zone)] as const

export function officeCommands(program: Command, io: Io): void {
  const group = program.command('office').description('offices (tenants)')
  addProfileCommands(group, io)
  addOfficeExport(group, io)
  addOfficeImport(group, io)
  addOfficeDeletion(group, io)
}

function addProfileCommands(group: Command, io: Io): void {
  const create = withProfile(
    group
      .command('create')
      .description('create an office and its administrator, with a password that is shown once')
      .requiredOption('--name <name>', 'name of the office', name)
      .requiredOption(...timeZone)
      .requiredOption('--email <address>', 'the address with which the administrator signs in', asField(email))
      .requiredOption('--firstname <name>', 'first name of the administrator', name)
      .requiredOption('--lastname <name>', 'last name of the administrator', name),
  )
  const change = withProfile(
    group
      .command('change')
      .description('change the profile of an office; fields without an option stay unchanged')
      .requiredOption('--office <id>', 'the office', asField(idText))
      .option('--name <name>', 'name of the office', name)
      .option(...timeZone),
  )

  answering<NewOffice>(create, io, async ({ email, firstname, lastname, ...office }) => {
    const password = newPassword()
    const administrator = { email, firstname, lastname, password, passwordExpired: true }
    const { customerId, userId } = await using(openAuth(io.env), (auth) =>
      auth.administration.createOffice(profileOf(office), administrator),
    )
    return {
      json: { customer_id: String(customerId), user_id: String(userId), username: email, password },
      text: `Office ${customerId} (${office.name}) was created; its administrator is user ${userId}.

  User name  ${email}
  Password   ${password}

The password is not shown again, and has to be changed at the first sign-in.`,
    }
  })

  answering<ChangedOffice>(change, io, async ({ office, ...sent }) => {
    const changes = profileOf(sent)
    if (Object.keys(changes).length === 0)
      throw new Problem('There is nothing to change: give at least one option, such as --city <name>.', exitCodes.wrongUsage)
    await using(openAuth(io.env), ({ administration }) => orProblem(administration.changeOffice(office, changes), noOffice(office)))
    return { json: { customer_id: String(office) }, text: `Office ${office} is changed.` }
  })
}

const withProfile = (command: Command) =>
  command
    .option('--street <street>', 'its street, with the number', asField(line({ max: 255 })))
    .option('--zip <code>', 'its postal code', asField(line({ max: 16 })))
    .option('--city <name>', 'its city', name)
    .option('--voivodeship <number>', 'its voivodeship, from 1 to 16', asField(integer({ min: 1, max: 16 })))
    .option('--phone <number>', 'its phone number', asField(line({ max: 40 })))
    .option('--office-email <address>', 'its own e-mail address', asField(email))
    .option('--url <address>', 'its web site', asField(webAddress))

/** Converts the options to the profile as auth names it. `--email` is the address with which the administrator signs in. */
const profileOf = <Sent extends Profile>({ officeEmail, ...sent }: Sent) => ({
  ...sent,
  ...(officeEmail !== undefined && { email: officeEmail }),
})
