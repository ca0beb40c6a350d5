import pg from 'pg'
import { asAdministrator } from './adapters.mjs'
import { connectionTo } from './connection.mjs'

/** Prisma's error codes by those of PostgreSQL and Node. */
const prismaCodes = { '3D000': 'P1003', '28P01': 'P1000', ECONNREFUSED: 'P1001', '42P04': 'P1009' }

/** The commands of `schema-engine cli …` that Prisma's command line uses, except for dropping databases. */
const commands = {
  async 'can-connect-to-database'(url) {
    const client = new pg.Client(connectionTo(url))
    await client.connect()
    await client.end()
  },
  async 'create-database'(url) {
    const name = pg.escapeIdentifier(connectionTo(url).database)
    await asAdministrator(url, (client) => client.query(`CREATE DATABASE ${name}`))
  },
}

/**
 * Runs a command and writes the same output to stderr as the binary engine.
 * @returns the exit code
 */
export async function runDatabaseCommand(name, url) {
  log('INFO', { message: 'Starting schema engine CLI' }) // Prisma ignores the first line.
  try {
    if (!Object.hasOwn(commands, name)) throw new Error(`The command ${name} is not supported.`)
    await commands[name](url)
    log('INFO', { message: 'ok' })
    return 0
  } catch ({ code, message }) {
    log('ERROR', { error_code: prismaCodes[code] ?? 'P1011', message, is_panic: false })
    return 1
  }
}

const log = (level, fields) => console.error(JSON.stringify({ level, target: 'schema_engine::logger', fields, timestamp: new Date() }))
