import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { config } from './config.js'

const env = {
  ...{ MAIL_DATABASE_URL: 'postgresql://localhost/mail', EXPERT_URL: 'https://a.test', CLIENT_URL: 'https://b.test' },
  ...{ TOKEN_ISSUER: 'caseway', JWKS_URL: 'https://auth.test', GRPC_INSECURE: 'true', MAIL_SECRET: randomBytes(32).toString('base64') },
  ...{ AUTH_GRPC_ADDRESS: 'dns:///auth:1', CASES_AND_COUNTERS_GRPC_ADDRESS: 'dns:///cases:1', FILES_GRPC_ADDRESS: 'dns:///files:1' },
}

it('an S3 store that is named in part stops the start', () => {
  expect(config.read(env).s3Bucket).toBeUndefined()
  expect(() => config.read({ ...env, MAIL_S3_BUCKET: 'mail' })).toThrow('MAIL_S3_ENDPOINT')
})

it('a revocation endpoint needs its provider, and HTTPS', () => {
  const provider = {
    ...{ MAIL_OAUTH2_REDIRECT_URIS: 'https://a.test/back', MAIL_OAUTH2_CUSTOM_CLIENT_ID: 'a', MAIL_OAUTH2_CUSTOM_CLIENT_SECRET: 'b' },
    ...{ MAIL_OAUTH2_CUSTOM_AUTHORIZATION_URL: 'https://c.test/auth', MAIL_OAUTH2_CUSTOM_TOKEN_URL: 'https://c.test/token' },
    ...{ MAIL_OAUTH2_CUSTOM_SCOPE: 'mail', MAIL_OAUTH2_CUSTOM_HOSTS: 'imap.c.test' },
  }
  const MAIL_OAUTH2_CUSTOM_REVOCATION_URL = 'https://c.test/revoke'
  expect(config.read({ ...env, ...provider }).oauth2CustomRevocationUrl).toBeUndefined()
  expect(config.read({ ...env, ...provider, MAIL_OAUTH2_CUSTOM_REVOCATION_URL }).oauth2CustomRevocationUrl).toBe(
    MAIL_OAUTH2_CUSTOM_REVOCATION_URL,
  )
  expect(() => config.read({ ...env, MAIL_OAUTH2_CUSTOM_REVOCATION_URL })).toThrow('MAIL_OAUTH2_CUSTOM_REVOCATION_URL')
  const plain = { MAIL_OAUTH2_CUSTOM_REVOCATION_URL: 'http://c.test/revoke' }
  expect(() => config.read({ ...env, ...provider, ...plain })).toThrow('MAIL_OAUTH2_CUSTOM_REVOCATION_URL must begin with https://')
})

it('a role that does not exist stops the start', () => {
  expect(config.read({ ...env, MAIL_ROLES: 'receive, send' }).roles).toEqual(['receive', 'send'])
  expect(() => config.read({ ...env, MAIL_ROLES: 'recieve,send' })).toThrow('MAIL_ROLES must be some of http, receive, send')
})

it('an unknown time zone stops the start', () => {
  expect(() => config.read({ ...env, DEFAULT_TIME_ZONE: 'Warsaw' })).toThrow('DEFAULT_TIME_ZONE must be the IANA name of a time zone')
})
