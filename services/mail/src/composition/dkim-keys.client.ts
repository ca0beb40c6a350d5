import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DkimKey, keyOfFile } from './dkim-key.js'

/** Shorter ones are not to be used (RFC 8301, 3.2). */
const leastBits = 1024

/** The keys of a folder, from files of PEM that are named `<office>.<name of the public key in the DNS>.pem`. Other files are left alone. @throws Error for what is no RSA key */
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
