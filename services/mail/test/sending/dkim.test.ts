import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { dkimKeysIn } from '../../src/composition/dkim-keys.client.js'
import { nodemailerMessageComposer } from '../../src/composition/nodemailer-message-composer.client.js'
import { isSigned } from '../support/dkim.js'
import { messageToCompose } from '../support/message-to-compose.js'

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const { privateKey, publicKey } = rsa(2048)
/** The public key as in its DNS record. */
const published = publicKey.replaceAll(/-----.*-----|\s/g, '')
const file = '7.2026._domainkey.office.example.pem'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dkim-'))
})
afterEach(() => rm(folder, { recursive: true }))
const put = (name: string, content: string) => writeFile(join(folder, name), content)

/** The bytes of a message from an address. */
async function composed(address: string, customerId = 7n): Promise<Buffer> {
  const message = messageToCompose({
    ...{ customerId, from: { name: 'Anna Żółć', address }, inReplyTo: 'c.d@client.example', references: ['c.d@client.example'] },
    ...{ subject: `Zażółć ${'long '.repeat(40)}`, html: `<p>Zażółć  gęślą jaźń</p>\n${'<p>a line of some length</p>\n'.repeat(60)}` },
    attachments: [{ name: 'a.txt', mime: 'text/plain', content: Readable.from('one\n\n\n') }],
  })
  return buffer(await nodemailerMessageComposer(await dkimKeysIn(folder)).compose(message))
}

describe('a message', () => {
  it.each(['anna@office.example', 'anna@OFFICE.example'])('from the domain of a key is signed with it: %s', async (address) => {
    await put(file, privateKey)
    const bytes = await composed(address)
    expect(bytes.toString('latin1')).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=office\.example;/)
    expect(isSigned(bytes, publicKey)).toBe(true)
    expect(isSigned(bytes, rsa(2048).publicKey)).toBe(false)
    for (const part of ['line of some', 'Subject: ', 'jan@client', 'c.d@client'])
      expect(isSigned(Buffer.from(bytes.toString('latin1').replace(part, part.replace(/.$/, '~')), 'latin1'), publicKey)).toBe(false)
  })

  it.each(['anna@sub.office.example', 'anna@xoffice.example', 'anna@elsewhere.example'])(
    'from another domain is not: %s',
    async (address) => {
      await put(file, privateKey)
      expect((await composed(address)).toString('latin1')).not.toMatch(/dkim-signature/i)
    },
  )

  it('of another office that uses the domain is not signed', async () => {
    await put(file, privateKey)
    expect((await composed('anna@office.example', 8n)).toString('latin1')).not.toMatch(/dkim-signature/i)
  })
})

describe('the folder of keys', () => {
  it('may contain other files, and keys of several domains', async () => {
    await put('README', 'none')
    await put('7.2026._domainkey.other.example.pem', privateKey)
    await put('2026._domainkey.office.example.pem', privateKey)
    await put(file, privateKey)
    expect(await dkimKeysIn(folder)).toEqual([
      { customerId: 7n, selector: '2026', domain: 'office.example', privateKey, publicKey: published },
      { customerId: 7n, selector: '2026', domain: 'other.example', privateKey, publicKey: published },
    ])
  })

  it.each([
    ['no key', 'none'],
    ['a public key', publicKey],
    ['a key that is too short', rsa(512).privateKey],
    [
      'a key of another kind',
      generateKeyPairSync('ed25519', {
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }).privateKey,
    ],
  ])('is refused with %s', async (_, content) => {
    await put(file, content)
    await expect(dkimKeysIn(folder)).rejects.toThrow(
      `${file} must be a private RSA key in PEM without a passphrase, of at least 1024 bits.`,
    )
  })

  it('is refused with two keys of a domain', async () => {
    await put(file, privateKey)
    await put('7.old._domainkey.Office.example.pem', privateKey)
    await expect(dkimKeysIn(folder)).rejects.toThrow('two keys of office 7 for office.example')
  })
})
