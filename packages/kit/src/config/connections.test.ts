import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '@caseway/install/certificates/authority.mjs'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  ConfigError,
  databaseRule,
  databaseVariables,
  defineConfig,
  grpcIdentityRule,
  grpcIdentityVariables,
  grpcSecurity,
  grpcTarget,
  kafkaRule,
  kafkaSettings,
  kafkaVariables,
  ownerDatabaseRule,
  ownerDatabaseVariables,
} from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'caseway-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const authority = await createAuthority()
const [{ certificate, key }, other] = [await authority.issue(['shop']), await authority.issue(['shop'])]
const [certFile, keyFile, caFile] = [fileOf('tls.crt', certificate), fileOf('tls.key', key), fileOf('ca.crt', authority.certificate)]
const noPem = fileOf('empty.crt', '')
const noFile = join(folder, 'missing.crt')

const problemsOf = (read: () => unknown): readonly string[] => {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('gRPC', () => {
  const config = defineConfig('SHOP', grpcIdentityVariables, grpcIdentityRule)

  it('is mutual TLS with certificate, key and authorities', () => {
    const env = { GRPC_CERT_FILE: certFile, GRPC_KEY_FILE: keyFile, GRPC_CA_FILE: caFile }
    expect(grpcSecurity(config.read(env))).toEqual({ certFile, keyFile, caFile })
  })

  it('names each variable whose file is missing or is not PEM', () => {
    expect(problemsOf(() => config.read({ GRPC_CERT_FILE: noFile, GRPC_KEY_FILE: noPem, GRPC_CA_FILE: folder }))).toEqual([
      'GRPC_CERT_FILE must be the path of a PEM file that can be read.',
      'GRPC_KEY_FILE must be the path of a PEM file that can be read.',
      'GRPC_CA_FILE must be the path of a PEM file that can be read.',
    ])
  })

  it('needs a key that belongs to the certificate', () => {
    const env = { GRPC_CERT_FILE: certFile, GRPC_KEY_FILE: fileOf('other.key', other.key), GRPC_CA_FILE: caFile }
    expect(problemsOf(() => config.read(env))).toEqual(['GRPC_KEY_FILE must be the key of the certificate in GRPC_CERT_FILE.'])
  })

  it('names each file with the wrong content', () => {
    expect(problemsOf(() => config.read({ GRPC_CERT_FILE: keyFile, GRPC_KEY_FILE: certFile, GRPC_CA_FILE: keyFile }))).toEqual([
      'GRPC_CERT_FILE must contain a certificate.',
      'GRPC_KEY_FILE must contain a private key without a passphrase.',
      'GRPC_CA_FILE must contain a certificate.',
    ])
  })

  it('is plain text only when the configuration says so', () => {
    expect(grpcSecurity(config.read({ GRPC_INSECURE: 'true' }))).toBe('plaintext')
    const sentence = (names: string) => [`${names} must be set: gRPC is mutual TLS unless GRPC_INSECURE=true.`]
    expect(problemsOf(() => config.read({}))).toEqual(sentence('GRPC_CERT_FILE, GRPC_KEY_FILE, GRPC_CA_FILE'))
    expect(problemsOf(() => config.read({ GRPC_CERT_FILE: certFile, GRPC_KEY_FILE: keyFile }))).toEqual(sentence('GRPC_CA_FILE'))
    expect(problemsOf(() => grpcSecurity({ ...config.read({ GRPC_INSECURE: 'true' }), grpcInsecure: false }))).toHaveLength(1)
  })
})

describe('a gRPC target', () => {
  const config = defineConfig('SHOP', { AUTH_GRPC_ADDRESS: grpcTarget({ shared: true, help: 'Where auth is' }) })

  it.each(['dns:///auth:50051', 'auth:50051', 'unix:/run/auth.sock', '[::1]:50051', 'http-proxy:50051'])('may be %s', (address) => {
    expect(config.read({ AUTH_GRPC_ADDRESS: address }).authGrpcAddress).toBe(address)
  })

  it.each(['http://auth:50051', 'HTTPS://auth:50051'])('is not %s, a URL of HTTP', (address) => {
    const problem = 'AUTH_GRPC_ADDRESS must be a gRPC target, as `dns:///host:port` or `host:port`.'
    expect(problemsOf(() => config.read({ AUTH_GRPC_ADDRESS: address }))).toEqual([problem])
  })
})

describe('several rules', () => {
  const config = defineConfig('SHOP', { ...kafkaVariables, ...grpcIdentityVariables }, kafkaRule, grpcIdentityRule)

  it('are reported together with invalid variables, and skipped where they read one', () => {
    const wrong = { KAFKA_BROKERS: 'one:9093', GRPC_INSECURE: 'perhaps' }
    const missing = 'KAFKA_USERNAME, KAFKA_PASSWORD must be set: Kafka needs TLS and a user unless KAFKA_INSECURE=true.'
    expect(problemsOf(() => config.read(wrong))).toEqual(['GRPC_INSECURE must be true or false.', missing])
    expect(problemsOf(() => config.read({ KAFKA_BROKERS: 'one', GRPC_INSECURE: 'true' }))).toEqual([
      'KAFKA_BROKERS must be `host:port`, several separated by commas.',
    ])
  })
})

describe('Kafka', () => {
  const config = defineConfig('SHOP', kafkaVariables, kafkaRule)
  const brokers = { KAFKA_BROKERS: 'one:9093,two:9093' }

  it('is reached over TLS with a user', () => {
    const user = { KAFKA_USERNAME: 'shop', KAFKA_PASSWORD: 'secret' }
    const signedIn = { username: 'shop', password: 'secret' }
    expect(kafkaSettings(config.read({ ...brokers, ...user }))).toEqual({ brokers: ['one:9093', 'two:9093'], security: signedIn })
    const { security } = kafkaSettings(config.read({ ...brokers, ...user, KAFKA_CA_FILE: caFile }))
    expect(security).toEqual({ ...signedIn, caFile })
    const problem = 'KAFKA_CA_FILE must be the path of a PEM file that can be read.'
    expect(problemsOf(() => config.read({ ...brokers, ...user, KAFKA_CA_FILE: noFile }))).toEqual([problem])
  })

  it('is plain text only when the configuration says so', () => {
    const insecure = { ...brokers, KAFKA_INSECURE: 'true' }
    for (const user of [
      {},
      { KAFKA_USERNAME: 'shop' },
      { KAFKA_PASSWORD: 'secret' },
      { KAFKA_USERNAME: 'shop', KAFKA_PASSWORD: 'secret' },
    ]) {
      expect(kafkaSettings(config.read({ ...insecure, ...user })).security).toBe('plaintext')
    }
    const sentence = (names: string) => [`${names} must be set: Kafka needs TLS and a user unless KAFKA_INSECURE=true.`]
    expect(problemsOf(() => config.read(brokers))).toEqual(sentence('KAFKA_USERNAME, KAFKA_PASSWORD'))
    expect(problemsOf(() => config.read({ ...brokers, KAFKA_USERNAME: 'shop' }))).toEqual(sentence('KAFKA_PASSWORD'))
    expect(problemsOf(() => kafkaSettings({ ...config.read({}), kafkaBrokers: ['one:9093'] }))).toHaveLength(1)
  })

  it('needs no user where no broker is configured', () => {
    expect(kafkaSettings(config.read({})).brokers).toEqual([])
  })
})

describe('the database', () => {
  const config = defineConfig('SHOP', databaseVariables, databaseRule)
  const problems = (url: string, env = {}) => problemsOf(() => config.read({ SHOP_DATABASE_URL: url, ...env }))

  it.each([
    `postgresql://shop:pw@db.example/shop?sslmode=verify-full&sslrootcert=${caFile}`,
    'postgresql://shop:pw@db.example/shop?sslmode=verify-full&sslrootcert=system',
    `postgresql://shop:pw@db.example/shop?sslmode=verify-ca&sslrootcert=${caFile}`,
    'postgresql://shop:pw@db.example/shop?sslmode=require',
    'postgresql://shop:pw@127.0.0.1:5433/shop',
    'postgresql://shop:pw@[::1]/shop',
    'postgresql://shop:pw@localhost/shop?sslmode=disable',
    'postgresql://shop:pw@%2Fvar%2Frun%2Fpostgresql/shop',
    'postgresql:///shop?host=/var/run/postgresql',
  ])('may be at %s', (url) => {
    expect(problems(url)).toEqual([])
  })

  const plain = 'must have an sslmode (verify-full with sslrootcert is best): plain text over a network needs DATABASE_INSECURE=true.'
  it.each([
    ['postgresql://shop:pw@db.example/shop', plain],
    ['postgresql://shop:pw@10.0.0.7/shop?sslmode=disable', plain],
    ['postgresql://shop:pw@127.0.0.1.example/shop', plain],
    ['postgresql://shop:pw@localhost/shop?host=db.example', plain],
    ['postgresql://shop:pw@db.example/shop?sslmode=prefer', 'must have an sslmode of disable, require, verify-ca, verify-full.'],
    ['postgresql://shop:pw@db.example/shop?sslmode=no-verify', 'must have an sslmode of disable, require, verify-ca, verify-full.'],
    ['postgresql://shop:pw@db.example/shop?sslmode=verify-full', 'must have sslrootcert with sslmode=verify-full.'],
    ['postgresql://shop:pw@db.example/shop?sslmode=verify-ca&sslrootcert=system', 'must have sslmode=verify-full with sslrootcert=system.'],
    [
      `postgresql://shop:pw@db.example/shop?sslmode=verify-full&sslrootcert=${noFile}`,
      'must have the path of a PEM file that can be read in sslrootcert.',
    ],
    [
      `postgresql://shop:pw@db.example/shop?sslmode=require&sslcert=${noPem}&sslkey=${noFile}`,
      'must have the path of a PEM file that can be read in sslcert, sslkey.',
    ],
  ])('may not be at %s', (url, problem) => {
    expect(problems(url)).toEqual([`SHOP_DATABASE_URL ${problem}`])
  })

  it('has a separate address for the owner of the tables, under the same rule', () => {
    const owner = defineConfig('SHOP', ownerDatabaseVariables('Owner of the tables'), ownerDatabaseRule)
    const at = (url: string) => ({ SHOP_OWNER_DATABASE_URL: url })
    expect(owner.read(at('postgresql://owner:pw@localhost/shop')).ownerDatabaseUrl).toBe('postgresql://owner:pw@localhost/shop')
    expect(problemsOf(() => owner.read(at('postgresql://owner:pw@db.example/shop')))).toEqual([`SHOP_OWNER_DATABASE_URL ${plain}`])
  })

  it('may be in plain text over a network when the configuration says so', () => {
    expect(problems('postgresql://shop:pw@db.example/shop', { DATABASE_INSECURE: 'true' })).toEqual([])
  })
})
