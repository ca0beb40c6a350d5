import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { experimental } from '@grpc/grpc-js'
import type { Logger } from '../observability/index.js'

/** PEM files: a certificate (with its chain), its private key, and the authorities that must have signed the certificate of the other side. */
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
 * A certificate provider of grpc-js that reloads the files: it reads them every `everyMs` milliseconds while it has a listener. Where they cannot be read, or
 * key and certificate do not match, because a replacement is under way, it logs a warning and keeps the previous ones. grpc-js's own
 * FileWatcherCertificateProvider refuses every connection in that state.
 * @throws Error where the files are not usable at the start
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
      return log.warn({ err, file: files.certFile }, 'new gRPC certificates are not usable, and the present ones stay in use')
    }
    for (const listener of caListeners) listener(ca())
    for (const listener of identityListeners) listener(identity())
  }
  // grpc-js expects that a listener is first called after it was added, and not while it is being added.
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

/** Returns `contents`. @throws Error where they are not PEM, or the key does not match the certificate */
function usable(contents: Contents): Contents {
  createSecureContext(contents)
  return contents
}

const same = (one: Contents, other: Contents) => one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca)
