import type { Account } from '../../deploy/local/src/demo/demo-file.js'

/** Creates an office by the command line. Its administrator has to change the password at the first sign-in. */
export async function newOffice(caseway: (...command: string[]) => Promise<string>, name: string, email: string): Promise<Account> {
  const office = ['--name', name, '--time-zone', 'Europe/Warsaw', '--email', email]
  return JSON.parse(await caseway('office', 'create', ...office, '--firstname', 'Anna', '--lastname', 'Nowak', '--json'))
}
