import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrlVariable, registry, serviceNames } from '@caseway/registry'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { kafkaOf, serviceVariables } from '../src/environment.js'
import { passwordKey } from '../src/local-secrets.js'

const cases = registry.casesAndCounters.name

let home: string
let env: NodeJS.ProcessEnv
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'caseway-home-'))
  env = { CASEWAY_HOME: home }
  mkdirSync(join(home, 'postgres'))
  mkdirSync(join(home, 'kafka'))
})
afterEach(() => rmSync(home, { recursive: true }))

const neverPid = 2 ** 22 + 1
const postgres = (pid: number, state = 'ready') =>
  writeFileSync(join(home, 'postgres/postmaster.pid'), `${pid}\n/data\n0\n5499\n\n127.0.0.1\n0\n${state}\n`)
const secrets = () =>
  writeFileSync(
    join(home, 'secrets.json'),
    JSON.stringify({
      ...{ postgres: 'p', authSecret: 'secret', partnerSecret: 'other', mailSecret: 'third', kafka: 'k' },
      ...Object.fromEntries(serviceNames.map((name) => [passwordKey(name), `of/${name}`])),
    }),
  )
const kafka = (pid: number) => {
  writeFileSync(join(home, 'kafka/server.properties'), 'node.id=1\nadvertised.listeners=CLIENTS://127.0.0.1:9555\n')
  writeFileSync(join(home, 'kafka/server.properties.pid'), String(pid))
}

describe('a command where no variable names an installation', () => {
  it('uses the platform that runs in the folder, also with other variables', () => {
    postgres(process.pid)
    secrets()
    expect(serviceVariables({ ...env, AUTH_SECRET: 'of another installation' })).toEqual({
      CASEWAY_HOME: home,
      AUTH_SECRET: 'secret',
      PARTNER_SECRET: 'other',
      MAIL_SECRET: 'third',
      TOKEN_ISSUER: 'caseway',
      FILES_FOLDER: join(home, 'files'),
      MAIL_FOLDER: join(home, 'mail'),
      ...Object.fromEntries(
        serviceNames.map((name) => [databaseUrlVariable(name), `postgresql://${name}:of%2F${name}@127.0.0.1:5499/${name}`]),
      ),
    })
  })

  it.each([
    ['no platform was ever started', () => undefined],
    ['the platform was killed', () => postgres(neverPid)],
    ['the platform is still starting', () => postgres(process.pid, 'starting')],
  ])('reports that nothing runs in the folder when %s', (_, prepare) => {
    secrets()
    prepare()
    expect(() => serviceVariables(env)).toThrow(`No Caseway runs in ${home}: `)
  })

  it('reports that the secrets are not readable', () => {
    postgres(process.pid)
    expect(() => serviceVariables(env)).toThrow(`The file secrets.json in ${home} cannot be read`)
  })

  it('uses the Kafka that runs in the folder', () => {
    secrets()
    expect(kafkaOf(env)).toBeUndefined()
    kafka(neverPid)
    expect(kafkaOf(env)).toBeUndefined()
    kafka(process.pid)
    const security = { caFile: join(home, 'certificates/ca.pem'), username: 'caseway', password: 'k' }
    expect(kafkaOf(env)).toEqual({ brokers: ['127.0.0.1:9555'], security })
    const named = { KAFKA_BROKERS: 'one:9092,two:9092', KAFKA_USERNAME: 'ops', KAFKA_PASSWORD: 'secret' }
    expect(kafkaOf({ ...env, ...named })).toEqual({
      brokers: ['one:9092', 'two:9092'],
      security: { caFile: undefined, username: 'ops', password: 'secret' },
    })
  })
})

describe('a command with a database in its variables', () => {
  it('uses nothing of a local installation', () => {
    postgres(process.pid)
    secrets()
    kafka(process.pid)
    const named = { ...env, [databaseUrlVariable(cases)]: 'postgresql://somewhere/cases' }
    expect(serviceVariables(named)).toBe(named)
    expect(kafkaOf(named)).toBeUndefined()
  })
})
