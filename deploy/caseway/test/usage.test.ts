import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceNames } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import type { Command } from 'commander'
import { createProgram } from '../src/program.js'
import { caseway, createOffice } from './support/installation.js'

const nowhere = { CASEWAY_HOME: join(tmpdir(), 'caseway-that-is-not-there') }
const noCaseway = `No Caseway runs in ${nowhere.CASEWAY_HOME}: start it with npm start, name its folder in CASEWAY_HOME, or set the variables of the services.`

const leaves = (command: Command, path: readonly string[] = []): string[][] =>
  command.commands.length > 0 ? command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()])) : [[...path]]
const commands = leaves(createProgram({ env: {}, out: () => undefined, err: () => undefined })).map((path) => path.join(' '))

describe('the command line', () => {
  it('has these commands', () => {
    expect(commands).toEqual([
      ...[
        'office create',
        'office change',
        'office export',
        'office import',
        'office delete',
        'office reopen',
        'office data',
        'application create',
        'application renew-secret',
        'application delete',
        'password reset',
        'second-factor reset',
        'client change',
        'person erase',
        'dead-letters list',
        'dead-letters replay',
        'dead-letters delete',
      ],
      ...['jobs status', 'jobs list', 'jobs retry', 'copy resync', 'ids advance'],
      ...['key rotate', 'secret rotate', 'counters recount', 'files rescan', 'files lost'],
      ...['card list', 'card approve', 'card request-changes', 'partner rotate', 'partner refresh', 'partner sagas', 'partner webhooks'],
      ...['mail boxes', 'mail pause', 'mail resume', 'mail resync', 'mail failures', 'mail replay', 'mail recount', 'mail rotate'],
      ...['events status', 'topics create'],
    ])
  })

  it.each(commands)('explains %s', async (command) => {
    const { code, out, err } = await caseway({}, ...command.split(' '), '--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`Usage: npm run caseway -- ${command}`)
    expect(out).toContain('--json')
  })

  it('lists all commands without arguments', async () => {
    expect(await caseway({})).toMatchObject({ code: 2, out: '', err: expect.stringContaining('dead-letters') })
    expect(await caseway({}, '--help')).toMatchObject({ code: 0, out: expect.stringContaining('dead-letters'), err: '' })
  })

  it.each([
    ['an unknown command', ['offices'], "Unknown command 'offices' (Did you mean office?)"],
    ['an unknown option', ['key', 'rotate', '--now'], "Unknown option '--now'."],
    ['too much', ['key', 'rotate', 'twice'], "Too many arguments for 'rotate'. Expected 0 arguments but got 1: twice."],
    ['a missing option', ['password', 'reset'], "Required option '--email <address>' not specified."],
    [
      'an empty path of a folder to write',
      ['office', 'export', '--office', '1', '--to', ''],
      "Option '--to <folder>' argument '' is invalid. It must not be empty.",
    ],
    [
      'an empty path of a folder to read',
      ['office', 'import', '--from', ''],
      "Option '--from <folder>' argument '' is invalid. It must not be empty.",
    ],
    [
      'an invalid e-mail address',
      createOffice('ada'),
      "Option '--email <address>' argument 'ada' is invalid. It must be a valid e-mail address.",
    ],
    [
      'an unknown time zone',
      [...createOffice('ada@office.test'), '--time-zone', 'Europe/Nowhere'],
      "Option '--time-zone <zone>' argument 'Europe/Nowhere' is invalid. It must be the IANA name of a time zone.",
    ],
    [
      'an empty name',
      [...createOffice('ada@office.test'), '--name', ' '],
      "Option '--name <name>' argument ' ' is invalid. It must not be empty.",
    ],
    [
      'a name of two lines',
      [...createOffice('ada@office.test'), '--name', 'a\nb'],
      "Option '--name <name>' argument 'a b' is invalid. It must be one line without control characters.",
    ],
    [
      'an invalid id of an office',
      ['counters', 'recount', '--office', 'x'],
      "Option '--office <id>' argument 'x' is invalid. It must be an id.",
    ],
    [
      'an unknown service',
      ['events', 'status', '--service', 'letters'],
      `Option '-s, --service <name>' argument 'letters' is invalid. Allowed choices are ${serviceNames.join(', ')}.`,
    ],
    [
      'an invalid number',
      ['topics', 'create', '--partitions', '0'],
      "Option '--partitions <number>' argument '0' is invalid. It must be a whole number from 1 to 2147483647.",
    ],
  ])('refuses %s with one sentence and exit code 2', async (_, argv, err) => {
    expect(await caseway(nowhere, ...argv)).toEqual({ code: 2, out: '', err })
  })

  it('reports that no installation runs, and which variable is missing', async () => {
    expect(await caseway(nowhere, 'key', 'rotate')).toEqual({ code: 1, out: '', err: noCaseway })
    const env = { AUTH_DATABASE_URL: 'postgresql://127.0.0.1:1/auth', TOKEN_ISSUER: 'caseway' }
    expect(await caseway(env, 'key', 'rotate')).toEqual({
      code: 1,
      out: '',
      err: 'AUTH_SECRET is missing: it must be 32 random bytes in base64.',
    })
    const { code, out, err } = await caseway({ ...env, AUTH_SECRET: Buffer.alloc(32).toString('base64') }, 'key', 'rotate')
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: 'A database, service or storage that the command needs does not answer, or is full: is the platform running?',
    })
  })

  it('ends its process with the exit code', () => {
    const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
    const start = (...argv: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], { env: nowhere, encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    expect(start('key', 'rotate')).toEqual({ status: 1, stdout: '', stderr: `${noCaseway}\n` })
    expect(start('key')).toMatchObject({ status: 2, stdout: '' })
    expect(start('key', 'rotate', '--help')).toMatchObject({ status: 0, stderr: '' })
  })
})
