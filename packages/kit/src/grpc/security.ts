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

/** Mutual TLS with the certificates of these files, or plain text, where every caller that reaches the port is trusted. */
export type GrpcSecurity =
  | 'plaintext'
  | (CertificateFiles & { /** The interval in which the files are read again, in milliseconds. Default 10,000. */ reloadMs?: number })

const { createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } = experimental

/** Credentials that require a client certificate signed by a known authority. When the files are replaced, new connections use their new contents. */
export function serverCredentials(security: GrpcSecurity, log: Logger): ServerCredentials {
  if (security === 'plaintext') return ServerCredentials.createInsecure()
  const provider = watchCertificates(security, log, security.reloadMs)
  return createCertificateProviderServerCredentials(provider, provider, true)
}

/** Credentials that present a client certificate, and accept only a server whose certificate is signed by a known authority. */
export function channelCredentials(security: GrpcSecurity, log: Logger): ChannelCredentials {
  if (security === 'plaintext') return ChannelCredentials.createInsecure()
  const provider = watchCertificates(security, log, security.reloadMs)
  return createCertificateProviderChannelCredentials(provider, provider)
}

/**
 * An interceptor that refuses calls unless the certificate of the caller has one of `callers` among its DNS names (RFC 6125; neither wildcards nor the subject
 * count).
 */
export function onlyFrom(callers: readonly string[], log: Logger): ServerInterceptor {
  const isCaller = (certificate: X509Certificate) =>
    callers.some((name) => certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined)
  return ({ path }, call) => {
    const peer = call.getAuthContext().sslPeerCertificate
    if (peer && isCaller(new X509Certificate(peer.raw))) return new ServerInterceptingCall(call)
    log.warn({ method: path, names: peer?.subjectaltname }, 'a call was refused, because its caller is not allowed to call this service')
    return refusing(call, peer ? notServed : notAuthenticated)
  }
}

const notAuthenticated = { code: status.UNAUTHENTICATED, details: 'A certificate is missing.' }
const notServed = { code: status.PERMISSION_DENIED, details: 'The certificate names no service that is served here.' }

/** Answers with a status, without calling the handler. */
function refusing(
  call: ConstructorParameters<typeof ServerInterceptingCall>[0],
  answer: Pick<StatusObject, 'code' | 'details'>,
): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: () => call.sendStatus(answer),
  })
}
