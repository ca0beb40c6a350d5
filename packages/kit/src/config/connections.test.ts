import { describe, expect, it } from '@jest/globals'
import { ConfigError, defineConfig, grpcIdentityRule, grpcIdentityVariables, grpcSecurity } from './index.js'

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
    const env = { GRPC_CERT_FILE: '/tls/tls.crt', GRPC_KEY_FILE: '/tls/tls.key', GRPC_CA_FILE: '/tls/ca.crt' }
    expect(grpcSecurity(config.read(env))).toEqual({ certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', caFile: '/tls/ca.crt' })
  })

  it('is plain text only when the configuration says so', () => {
    expect(grpcSecurity(config.read({ GRPC_INSECURE: 'true' }))).toBe('plaintext')
    const sentence = (names: string) => [`${names} must be set: gRPC is mutual TLS unless GRPC_INSECURE=true.`]
    expect(problemsOf(() => config.read({}))).toEqual(sentence('GRPC_CERT_FILE, GRPC_KEY_FILE, GRPC_CA_FILE'))
    expect(problemsOf(() => config.read({ GRPC_CERT_FILE: '/tls/tls.crt', GRPC_KEY_FILE: '/tls/tls.key' }))).toEqual(
      sentence('GRPC_CA_FILE'),
    )
    expect(problemsOf(() => grpcSecurity({ ...config.read({ GRPC_INSECURE: 'true' }), grpcInsecure: false }))).toHaveLength(1)
  })
})
