import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DkimKey, keyOfFile } from './dkim-key.js'

/** Shorter keys must not be used (RFC 8301, 3.2). */
const leastBits = 1024

/**
 * Reads the keys of a folder from PEM files named `<office>.<name of the public key in the DNS>.pem`. Other files are ignored.
 * @throws Error for a file that is no RSA key of at least 1024 bits, and for two keys of one office and domain
 */
export async function dkimKeysIn(folder: string): Promise<DkimKey[]> {
  const keys: DkimKey[] = []
  for (const name of (await readdir(folder)).sort()) {
    const of = keyOfFile(name)
    if (!of) continue
    const twin = keys.find(({ customerId, domain }) => customerId === of.customerId && domain === of.domain)
    if (twin)
      throw new Error(
        `${folder} has two keys of office ${of.customerId} for ${of.domain}: ${twin.selector} and ${of.selector}. There may be one.`,
      )
    keys.push({ ...of, ...(await rsaKeyOf(join(folder, name))) })
  }
  return keys
}

async function rsaKeyOf(file: string): Promise<Pick<DkimKey, 'privateKey' | 'publicKey'>> {
  const pem = await readFile(file, 'utf8')
  const key = parsed(pem)
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0
  if (key?.asymmetricKeyType !== 'rsa' || bits < leastBits)
    throw new Error(`${file} must be a private RSA key in PEM without a passphrase, of at least ${leastBits} bits.`)
  return { privateKey: pem, publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64') }
}

function parsed(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}
