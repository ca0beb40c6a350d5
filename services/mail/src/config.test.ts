import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { config } from './config.js'

it('a store that is named in part stops the start', () => {
  const env = {
    ...{ MAIL_DATABASE_URL: 'postgresql://localhost/mail', EXPERT_URL: 'https://a.test', CLIENT_URL: 'https://b.test' },
    ...{ TOKEN_ISSUER: 'caseway', JWKS_URL: 'https://auth.test', GRPC_INSECURE: 'true', MAIL_SECRET: randomBytes(32).toString('base64') },
    ...{ AUTH_GRPC_ADDRESS: 'dns:///auth:1', CASES_AND_COUNTERS_GRPC_ADDRESS: 'dns:///cases:1', FILES_GRPC_ADDRESS: 'dns:///files:1' },
  }
  expect(config.read(env).s3Bucket).toBeUndefined()
  expect(() => config.read({ ...env, MAIL_S3_BUCKET: 'mail' })).toThrow('MAIL_S3_ENDPOINT')
})
