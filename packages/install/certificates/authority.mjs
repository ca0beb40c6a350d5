import { randomBytes, webcrypto } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
// Defines a global that @peculiar/x509 needs when it is loaded.
import 'reflect-metadata'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
const dayMs = 86_400_000
/** Tolerance for clocks of containers that differ from that of this machine. */
const skewMs = 60_000

/**
 * Creates a certificate authority for one run on one machine (RFC 5280, ECDSA P-256). Its private key exists only in memory, so that nothing can be
 * issued after the process has ended.
 */
export async function createAuthority() {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const name = 'CN=Caseway local authority'
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: serialNumber(), name, keys, signingAlgorithm, ...validity() },
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })

  /** Issues a certificate for server and client authentication. Returns certificate and key as PEM. */
  async function issue(names, period) {
    const own = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const issued = await X509CertificateGenerator.create({
      ...{ serialNumber: serialNumber(), issuer: name, subject: `CN=${names[0]}`, ...validity(period) },
      ...{ publicKey: own.publicKey, signingKey: keys.privateKey, signingAlgorithm },
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        // Distinguishes an authority from the one that it replaces, which has the same name.
        await AuthorityKeyIdentifierExtension.create(keys.publicKey),
        new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))),
      ],
    })
    return { certificate: `${issued.toString('pem')}\n`, key: await pemOf(own.privateKey) }
  }
  return { certificate: `${certificate.toString('pem')}\n`, issue }
}

/**
 * Creates an authority and writes its certificate `ca.pem` into `folder`, and for each entry of `holders` `<name>.pem` and `<name>.key`. The
 * certificate of a holder contains its name and the additional DNS names and addresses of its entry.
 */
export async function writeCertificates(folder, holders) {
  mkdirSync(folder, { recursive: true })
  const { certificate, issue } = await createAuthority()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, certificate)
  const files = Object.entries(holders).map(async ([name, others]) => {
    const issued = await issue([name, ...others])
    const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
    writeFileSync(certFile, issued.certificate)
    writeFileSync(keyFile, issued.key, { mode: 0o600 })
    return [name, { certFile, keyFile, caFile }]
  })
  return Object.fromEntries(await Promise.all(files))
}

const validity = ({ notBefore = new Date(Date.now() - skewMs), notAfter = new Date(Date.now() + 365 * dayMs) } = {}) => ({
  notBefore,
  notAfter,
})

/** A random serial number, positive because its first bit is 0. */
const serialNumber = () => `01${randomBytes(15).toString('hex')}`

async function pemOf(key) {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{64}(?=.)/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
