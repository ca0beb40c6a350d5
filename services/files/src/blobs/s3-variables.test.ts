import { ConfigError, defineConfig } from '@caseway/kit/config'
import { s3Rule, s3SettingsOf, s3Variables } from '@caseway/kit/storage'
import { grpcAddressVariable, registry } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import { config as serviceConfig } from '../config.js'

const config = defineConfig('FILES', s3Variables('files'), s3Rule)
const whole = {
  FILES_S3_ENDPOINT: 'https://s3.test',
  FILES_S3_BUCKET: 'files',
  FILES_S3_ACCESS_KEY_ID: 'key',
  FILES_S3_SECRET_ACCESS_KEY: 'secret',
}
const problemsOf = (env: NodeJS.ProcessEnv) => {
  try {
    config.read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('an S3 store', () => {
  it('is configured by all of its variables', () => {
    expect(s3SettingsOf(config.read(whole))).toEqual({
      ...{ endpoint: 'https://s3.test', bucket: 'files', accessKeyId: 'key', secretAccessKey: 'secret' },
      ...{ region: 'us-east-1', timeoutMs: 4_000 },
    })
  })

  it('is undefined without any of them', () => {
    expect(s3SettingsOf(config.read({ FILES_S3_REGION: 'eu-central-1' }))).toBeUndefined()
  })

  it.each(Object.keys(whole))('without %s stops the start', (name) => {
    expect(problemsOf({ ...whole, [name]: '' })).toEqual([
      `${name} must be set: an S3 store needs all of ${Object.keys(whole).join(', ')}.`,
    ])
    expect(problemsOf({ [name]: whole[name as keyof typeof whole] })).toHaveLength(1)
  })

  it('that is configured in part stops the service, and the command line', () => {
    const service = {
      ...{ FILES_DATABASE_URL: 'postgresql://localhost/files', EXPERT_URL: 'https://a.test', CLIENT_URL: 'https://b.test' },
      ...{ TOKEN_ISSUER: 'caseway', JWKS_URL: 'https://auth.test', GRPC_INSECURE: 'true' },
      ...Object.fromEntries(registry.files.asks.map((name) => [grpcAddressVariable(name), `dns:///${name}:50051`])),
    }
    for (const { read } of [serviceConfig, serviceConfig.administration]) {
      expect(read({ ...service, ...whole })).toMatchObject({ s3Bucket: 'files' })
      expect(() => read({ ...service, ...whole, FILES_S3_BUCKET: '' })).toThrow('FILES_S3_BUCKET must be set')
    }
  })

  it('is reached in plain text on this machine, and elsewhere only when the configuration says so', () => {
    const at = (endpoint: string, env = {}) => problemsOf({ ...whole, FILES_S3_ENDPOINT: endpoint, ...env })
    for (const endpoint of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000']) expect(at(endpoint)).toEqual([])
    expect(at('http://s3.test')).toEqual([
      'FILES_S3_ENDPOINT must begin with https://: plain text over a network needs FILES_S3_INSECURE=true.',
    ])
    expect(at('http://s3.test', { FILES_S3_INSECURE: 'true' })).toEqual([])
  })
})
