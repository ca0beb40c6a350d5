import { X509Certificate } from 'node:crypto'
import {
  ChannelCredentials,
  experimental,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type StatusObject,
  status,
} from '@grpc/grpc-js'
import type { Logger } from '../observability/index.js'
import { type CertificateFiles, watchCertificates } from './certificates.js'

/** Mutual TLS with the certificates of these files, or plain text, which trusts every caller that reaches the port. */
export type GrpcSecurity =
  | 'plaintext'
  | (CertificateFiles & { /** How often the files are looked at, in milliseconds. Default 10,000. */ reloadMs?: number })

const { createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } = experimental

/** TLS that refuses a client without a certificate of a known authority. When the files are replaced, new connections use their new contents. */
export function serverCredentials(security: GrpcSecurity, log: Logger): ServerCredentials {
  if (security === 'plaintext') return ServerCredentials.createInsecure()
  const provider = watchCertificates(security, log, security.reloadMs)
  return createCertificateProviderServerCredentials(provider, provider, true)
}

/** TLS that presents a certificate, and accepts only a server whose certificate is signed by a known authority. */
export function channelCredentials(security: GrpcSecurity, log: Logger): ChannelCredentials {
  if (security === 'plaintext') return ChannelCredentials.createInsecure()
  const provider = watchCertificates(security, log, security.reloadMs)
  return createCertificateProviderChannelCredentials(provider, provider)
}

/**
 * Lets a call of any service on the server pass only when the certificate of its caller has one of `callers` among its DNS names (RFC 6125:
 * no wildcards, and the subject does not count).
 */
export function onlyFrom(callers: readonly string[], log: Logger): ServerInterceptor {
  const isCaller = (certificate: X509Certificate) =>
    callers.some((name) => certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined)
  return ({ path }, call) => {
    const peer = call.getAuthContext().sslPeerCertificate
    if (peer && isCaller(new X509Certificate(peer.raw))) return new ServerInterceptingCall(call)
    log.warn({ method: path, names: peer?.subjectaltname }, 'a call was refused, because its caller is not served here')
    return refusing(call, peer ? notServed : notAuthenticated)
  }
}

const notAuthenticated = { code: status.UNAUTHENTICATED, details: 'A certificate is missing.' }
const notServed = { code: status.PERMISSION_DENIED, details: 'The certificate names no service that is served here.' }

/** Answers at once; the handler is never reached. */
function refusing(
  call: ConstructorParameters<typeof ServerInterceptingCall>[0],
  answer: Pick<StatusObject, 'code' | 'details'>,
): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: () => call.sendStatus(answer),
  })
}
