import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { experimental } from '@grpc/grpc-js'
import type { Logger } from '../observability/index.js'

/** Files in PEM: a certificate (with its chain), its private key, and the authorities that certificates of the other side are checked against. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  readonly caFile: string
}

interface Contents {
  readonly cert: Buffer
  readonly key: Buffer
  readonly ca: Buffer
}

type Provider = experimental.CertificateProvider
type IdentityListener = Parameters<Provider['addIdentityCertificateListener']>[0]
type CaListener = Parameters<Provider['addCaCertificateListener']>[0]

/**
 * Gives grpc-js what the files hold, and what they hold later: it looks every `everyMs` milliseconds while there is a listener.
 * Files that cannot be read, or of which key and certificate do not belong together (a replacement that is under way), are logged, and what
 * was read before stays in use. grpc-js's own FileWatcherCertificateProvider refuses every connection in that state.
 * @throws when the files are not usable at the start
 */
export function watchCertificates(files: CertificateFiles, log: Logger, everyMs = 10_000): Provider {
  let current = usable({ cert: readFileSync(files.certFile), key: readFileSync(files.keyFile), ca: readFileSync(files.caFile) })
  const identityListeners = new Set<IdentityListener>()
  const caListeners = new Set<CaListener>()
  let timer: NodeJS.Timeout | undefined

  const identity = () => ({ certificate: current.cert, privateKey: current.key })
  const ca = () => ({ caCertificate: current.ca })
  const look = async () => {
    try {
      const [cert, key, ca] = await Promise.all([readFile(files.certFile), readFile(files.keyFile), readFile(files.caFile)])
      if (same(current, { cert, key, ca })) return
      current = usable({ cert, key, ca })
      log.info({ file: files.certFile }, 'gRPC certificates were reloaded')
    } catch (err) {
      return log.warn({ err, file: files.certFile }, 'new gRPC certificates are not usable, and the present ones stay')
    }
    for (const listener of caListeners) listener(ca())
    for (const listener of identityListeners) listener(identity())
  }
  // grpc-js expects the first call of its listener after it has added it, not meanwhile.
  const watch = () => {
    const wanted = identityListeners.size + caListeners.size > 0
    if (wanted) timer ??= setInterval(() => void look(), everyMs).unref()
    else timer = void clearInterval(timer)
  }

  return {
    addCaCertificateListener(listener) {
      caListeners.add(listener)
      watch()
      process.nextTick(listener, ca())
    },
    removeCaCertificateListener(listener) {
      caListeners.delete(listener)
      watch()
    },
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener)
      watch()
      process.nextTick(listener, identity())
    },
    removeIdentityCertificateListener(listener) {
      identityListeners.delete(listener)
      watch()
    },
  }
}

/** @throws when a file is no PEM, or the key is not that of the certificate */
function usable(contents: Contents): Contents {
  createSecureContext(contents)
  return contents
}

const same = (one: Contents, other: Contents) => one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca)
