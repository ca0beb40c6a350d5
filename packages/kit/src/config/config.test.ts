import { describe, expect, it } from '@jest/globals'
import {
  ConfigError,
  choice,
  databaseVariables,
  defineConfig,
  flag,
  folder,
  host,
  integer,
  list,
  poolSettings,
  port,
  ratio,
  serviceVariables,
  socketAddress,
  text,
  timeZone,
  unusable,
  url,
} from './index.js'

const config = defineConfig('SHOP', {
  DATABASE_URL: url({ protocols: ['postgresql'], secret: true, help: 'Database' }),
  PEPPER: text({ default: 'salt', secret: true, help: 'Pepper' }),
  NICKNAME: text({ optional: true, help: 'Nickname' }),
  RETRY_PAUSE_MS: integer({ default: 200, min: 1, max: 5_000, help: 'Milliseconds between two attempts' }),
  HTTP_PORT: port({ default: 3000, help: 'Port of HTTP' }),
  OPEN: flag({ default: false, help: 'Open | closed' }),
  BROKERS: list({ default: ['a:1', 'b:2'], shared: true, help: 'Brokers' }),
  TAGS: list({ default: [], help: 'Tags' }),
  COLOR: choice(['red', 'green'], { default: 'red', help: 'Color' }),
})
const required = { SHOP_DATABASE_URL: 'postgresql://u:p@host/db' }
const problemsOf = (env: NodeJS.ProcessEnv) => {
  try {
    config.read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('a configuration', () => {
  it('has typed values by camelCase names, and defaults where nothing is set', () => {
    expect(config.read(required)).toEqual({
      databaseUrl: 'postgresql://u:p@host/db',
      pepper: 'salt',
      nickname: undefined,
      retryPauseMs: 200,
      httpPort: 3000,
      open: false,
      brokers: ['a:1', 'b:2'],
      tags: [],
      color: 'red',
    })
  })

  it('reports variables that are set to invalid values, once where several declare them, and no missing ones', () => {
    const declared = [...config.variables(), ...config.variables()]
    const env = { SHOP_RETRY_PAUSE_MS: '0', SHOP_COLOR: 'blue', SHOP_HTTP_PORT: '', SHOP_OPEN: 'true', OTHER: 'x' }
    expect(unusable(declared, env)).toEqual([
      'SHOP_RETRY_PAUSE_MS must be a whole number from 1 to 5000.',
      'SHOP_COLOR must be one of red, green.',
    ])
    expect(unusable(declared, {})).toEqual([])
  })

  it('lists its variables by their full names, in the order of their declaration', () => {
    const declared = config.variables()
    expect(declared.map(({ name }) => name)).toEqual([
      ...['SHOP_DATABASE_URL', 'SHOP_PEPPER', 'SHOP_NICKNAME', 'SHOP_RETRY_PAUSE_MS', 'SHOP_HTTP_PORT'],
      ...['SHOP_OPEN', 'BROKERS', 'SHOP_TAGS', 'SHOP_COLOR'],
    ])
    expect(declared.filter(({ variable }) => variable.secret).map(({ name }) => name)).toEqual(['SHOP_DATABASE_URL', 'SHOP_PEPPER'])
  })

  it('reads prefixed names, and shared ones without the prefix', () => {
    const env = { ...required, SHOP_RETRY_PAUSE_MS: '5000', SHOP_OPEN: '1', BROKERS: 'x:1, y:2', SHOP_BROKERS: 'no', SHOP_COLOR: 'green' }
    expect(config.read(env)).toMatchObject({ retryPauseMs: 5000, open: true, brokers: ['x:1', 'y:2'], color: 'green' })
  })

  it('treats an empty variable as not set', () => {
    expect(config.read({ ...required, SHOP_RETRY_PAUSE_MS: '' }).retryPauseMs).toBe(200)
    expect(problemsOf({ SHOP_DATABASE_URL: '' })).toHaveLength(1)
  })

  it.each([
    ['postgresql://host/db/', 'postgresql://host/db'],
    ['postgresql://host//', 'postgresql://host'],
    ['postgresql://host/db?sslrootcert=/certs/', 'postgresql://host/db?sslrootcert=/certs/'],
  ])('gives %s back without a slash at the end of its path', (given, address) => {
    expect(config.read({ SHOP_DATABASE_URL: given }).databaseUrl).toBe(address)
  })

  it('reports every problem at once, in sentences', () => {
    const env = { SHOP_RETRY_PAUSE_MS: '0', SHOP_HTTP_PORT: '70000', SHOP_OPEN: 'yes', BROKERS: 'a,,b', SHOP_COLOR: 'blue' }
    expect(problemsOf(env)).toEqual([
      'SHOP_DATABASE_URL is missing: it must be an address that begins with postgresql://.',
      'SHOP_RETRY_PAUSE_MS must be a whole number from 1 to 5000.',
      'SHOP_HTTP_PORT must be a whole number from 0 to 65535.',
      'SHOP_OPEN must be true or false.',
      'BROKERS must be a list separated by commas, without empty entries.',
      'SHOP_COLOR must be one of red, green.',
    ])
  })

  it.each(['1e3', '0x10', '1.5', ' 1', '+1', 'NaN', '9'.repeat(400), 'constructor'])('does not take %s for a number or a flag', (value) => {
    expect(problemsOf({ ...required, SHOP_RETRY_PAUSE_MS: value, SHOP_OPEN: value })).toHaveLength(2)
  })

  it.each([
    ['2147483647', 2_147_483_647],
    ['2147483648', undefined],
  ])('without a greatest number takes %s, which a timer takes as well, for %s', (given, taken) => {
    expect(integer({ help: '' }).parse(given)).toBe(taken)
  })

  it.each([
    ['0', 0],
    ['0.25', 0.25],
    ['1', 1],
    ['1.00', 1],
    ...['1.5', '-0.5', '.5', '0.', '00', '0.5x', 'x1', '1.', '1.01', '5e-1'].map((refused) => [refused, undefined] as const),
  ])('takes %s for a ratio: %s', (given, taken) => {
    expect(ratio({ help: '' }).parse(given)).toBe(taken)
  })

  it.each([
    ['clamav:3310', { host: 'clamav', port: 3310 }],
    ['127.0.0.1:1', { host: '127.0.0.1', port: 1 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
    ...['clamav', 'clamav:', ':3310', 'clamav:0', 'clamav:65536', '::1:3310', '[::1]', 'a/b:1', 'run/clamd.ctl', 'tcp://a:1'].map(
      (refused) => [refused, undefined] as const,
    ),
  ])('takes %s for the socket address %j', (given, taken) => {
    expect(socketAddress({ optional: true, help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    ...['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'Auth-1.example.test', 'auth_1'].map((name) => [name, name] as const),
    ...['a b', '*', '[::1]', '127.0.0.1:80', 'auth:80', '999.1.1.1', '0x7f.1', 'http://auth', 'auth/', 'ä.test', '.'].map(
      (refused) => [refused, undefined] as const,
    ),
  ])('takes "%s" for the host %s', (given, taken) => {
    expect(host({ help: '' }).parse(given)).toBe(taken)
  })

  it.each([
    ['/', '/'],
    ['/nowhere', undefined],
    [import.meta.filename, undefined],
  ])('takes %s for the folder %s', (given, taken) => {
    expect(folder({ optional: true, help: '' }).parse(given)).toBe(taken)
  })

  it.each([
    ...['Europe/Warsaw', 'UTC', 'Asia/Kathmandu'].map((zone) => [zone, zone] as const),
    ...['Warsaw', 'Europe/Warsow', '+01:00', '-05:00', 'Europe/Warsaw '].map((refused) => [refused, undefined] as const),
  ])('takes "%s" for the time zone %s', (given, taken) => {
    expect(timeZone({ help: '' }).parse(given)).toBe(taken)
  })

  it.each([
    [ratio({ help: '' }), 'a number from 0 to 1'],
    [integer({ min: 3, help: '' }), 'a whole number from 3 to 2147483647'],
    [integer({ max: 3, help: '' }), 'a whole number of at most 3'],
    [integer({ help: '' }), 'a whole number of at most 2147483647'],
    [url({ help: '' }), 'an address that begins with http:// or https://'],
  ])('says what it expects (%#)', (variable, expected) => {
    expect(variable.expected).toBe(expected)
  })

  it('shows no value in an error, secret or not', () => {
    const env = { SHOP_DATABASE_URL: 'mysql://root:hunter2@host', SHOP_RETRY_PAUSE_MS: 'hunter2' }
    const problems = problemsOf(env)
    expect(problems).toHaveLength(2)
    const error = new ConfigError(problems)
    expect(String(error)).toBe(`ConfigError: The configuration is not usable:\n  - ${problems[0]}\n  - ${problems[1]}`)
    expect(error.message).not.toContain('hunter2')
  })

  it('has a table that omits the defaults of secrets', () => {
    expect(config.table().split('\n')).toEqual([
      '| Variable | Default | Meaning |',
      '|---|---|---|',
      '| `SHOP_DATABASE_URL` | *required* | Database (an address that begins with postgresql://) |',
      '| `SHOP_PEPPER` | *secret* | Pepper (a text) |',
      '| `SHOP_NICKNAME` | – | Nickname (a text) |',
      '| `SHOP_RETRY_PAUSE_MS` | `200` | Milliseconds between two attempts (a whole number from 1 to 5000) |',
      '| `SHOP_HTTP_PORT` | `3000` | Port of HTTP (a whole number from 0 to 65535) |',
      '| `SHOP_OPEN` | `false` | Open \\| closed (true or false) |',
      '| `BROKERS` | `a:1,b:2` | Brokers (a list separated by commas, without empty entries) |',
      '| `SHOP_TAGS` | – | Tags (a list separated by commas, without empty entries) |',
      '| `SHOP_COLOR` | `red` | Color (one of red, green) |',
    ])
  })
})

describe('the variables of every service', () => {
  it('include the settings of the pool', () => {
    const pool = defineConfig('AUTH', databaseVariables).read({ AUTH_DATABASE_URL: 'postgres://host/db', AUTH_POOL_LOCK_TIMEOUT_MS: '7' })
    expect(poolSettings(pool)).toEqual({
      max: 10,
      connectTimeoutMs: 2_000,
      statementTimeoutMs: 5_000,
      lockTimeoutMs: 7,
      idleInTransactionTimeoutMs: 10_000,
    })
  })

  it('have defaults, except for addresses, database and tokens', () => {
    const missing = () => defineConfig('AUTH', serviceVariables).read({})
    expect(missing).toThrow(ConfigError)
    const names = /[A-Z_]+(?= is missing)/g
    const message = (() => {
      try {
        missing()
        return ''
      } catch (error) {
        return String(error)
      }
    })()
    expect(message.match(names)).toEqual(['EXPERT_URL', 'CLIENT_URL', 'AUTH_DATABASE_URL', 'TOKEN_ISSUER', 'JWKS_URL'])
  })
})
