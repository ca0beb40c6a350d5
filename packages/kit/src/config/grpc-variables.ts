import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { GrpcSecurity } from '../grpc/index.js'
import { ConfigError, type Values } from './define-config.js'
import { pemFile } from './paths.js'
import { flag } from './variables.js'

const file = (help: string) => pemFile({ optional: true, shared: true, help })

/** The certificate, key and authorities for mutual TLS, as a server and as a client. `grpcIdentityRule` belongs to them. */
export const grpcIdentityVariables = {
  GRPC_CERT_FILE: file('Certificate for gRPC, whose DNS names (SAN) must include the name of the service'),
  GRPC_KEY_FILE: file('Private key of the certificate for gRPC'),
  GRPC_CA_FILE: file('Certificates of the authorities that are trusted for gRPC peers'),
  GRPC_INSECURE: flag({ default: false, shared: true, help: 'Serve and call gRPC in plain text, without authentication' }),
}

type GrpcIdentity = Values<typeof grpcIdentityVariables>

/** The rule of `grpcIdentityVariables`: all three files are set and valid, and the key belongs to the certificate, unless `GRPC_INSECURE` is set. */
export function grpcIdentityRule(values: GrpcIdentity): string[] {
  if (values.grpcInsecure) return []
  const { grpcCertFile, grpcKeyFile, grpcCaFile } = values
  const files = { GRPC_CERT_FILE: grpcCertFile, GRPC_KEY_FILE: grpcKeyFile, GRPC_CA_FILE: grpcCaFile }
  const missing = Object.entries(files).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length > 0) return [`${missing.join(', ')} must be set: gRPC is mutual TLS unless GRPC_INSECURE=true.`]
  const certificate = contentOf(grpcCertFile, (pem) => new X509Certificate(pem))
  const key = contentOf(grpcKeyFile, createPrivateKey)
  const authority = contentOf(grpcCaFile, (pem) => new X509Certificate(pem))
  return [
    ...(certificate ? [] : ['GRPC_CERT_FILE must contain a certificate.']),
    ...(key ? [] : ['GRPC_KEY_FILE must contain a private key without a passphrase.']),
    ...(authority ? [] : ['GRPC_CA_FILE must contain a certificate.']),
    ...(certificate && key && !certificate.checkPrivateKey(key)
      ? ['GRPC_KEY_FILE must be the key of the certificate in GRPC_CERT_FILE.']
      : []),
  ]
}

function contentOf<T>(path: string | undefined, parse: (pem: Buffer) => T): T | undefined {
  try {
    return parse(readFileSync(path as string))
  } catch {
    return undefined
  }
}

/**
 * The `security` of `startGrpcServer` and `GrpcEndpoint`.
 * @throws ConfigError where `grpcIdentityRule` is violated
 */
export function grpcSecurity(values: GrpcIdentity): GrpcSecurity {
  const problems = grpcIdentityRule(values)
  if (problems.length > 0) throw new ConfigError(problems)
  const { grpcInsecure, grpcCertFile = '', grpcKeyFile = '', grpcCaFile = '' } = values
  return grpcInsecure ? 'plaintext' : { certFile: grpcCertFile, keyFile: grpcKeyFile, caFile: grpcCaFile }
}
