import { describe, expect, it } from '@jest/globals'
import { dkimOf, dmarcOf, spfOf } from './sender-domain.js'

const domain = 'office.example'

describe('SPF', () => {
  it.each([
    ['found', ['v=spf1 include:_spf.provider.example -all', 'something else']],
    ['found', ['V=SPF1']],
    ['missing', []],
    ['missing', ['v=spf10 -all', 'spf1']],
    ['ambiguous', ['v=spf1 -all', 'v=spf1 ~all']],
    ['open', ['v=spf1 +all']],
    ['open', ['v=spf1 mx all']],
    ['found', ['v=spf1 ?all']],
    ['found', ['v=spf1 include:all.example -all']],
    ['unknown', null],
  ] as const)('is %s: %j', (state, texts) => {
    const { state: is, text } = spfOf(domain, texts)
    expect([is, text.includes(domain)]).toEqual([state, true])
  })
})

describe('DMARC', () => {
  it.each([
    ['reject', ['v=DMARC1; p=reject'], []],
    ['quarantine', ['v=DMARC1;p=Quarantine; rua=mailto:a@b'], []],
    ['none', ['v=DMARC1 ; p=none'], ['v=DMARC1; p=reject']],
    ['missing', [], []],
    ['missing', ['v=DMARC1; p=reject', 'v=DMARC1; p=none'], []],
    ['missing', ['v=DMARC1; p=strict'], []],
    ['missing', ['v=DMARC10; p=reject'], []],
    ['reject', [], ['v=DMARC1; p=reject']],
    ['none', ['unrelated'], ['v=DMARC1; p=reject; sp=none']],
    ['unknown', null, ['v=DMARC1; p=reject']],
    ['unknown', [], null],
  ] as const)('is %s: %j, above it %j', (state, own, above) => {
    expect(dmarcOf(domain, own, above).state).toBe(state)
  })
})

describe('DKIM', () => {
  const key = { name: '2026._domainkey.office.example', publicKey: 'MIIBabc=' }
  it.each([
    ['signed', ['v=DKIM1; k=rsa; p=MIIBabc=']],
    ['signed', ['p=MIIB abc=']],
    ['unpublished', []],
    ['mismatched', ['v=DKIM1; p=']],
    ['mismatched', ['v=DKIM1; p=MIIBxyz=']],
    ['unknown', null],
  ] as const)('is %s: %j', (state, texts) => {
    expect(dkimOf(domain, { ...key, texts }).state).toBe(state)
  })

  it('is left to the mail server where nothing is signed here', () => expect(dkimOf(domain, undefined).state).toBe('server'))
})
