import { describe, expect, it } from '@jest/globals'
import { domainOf, officeDomain } from './office-domain.js'
import { isPublicMailDomain } from './public-mail-domains.client.js'

describe('the domain of an address', () => {
  it.each([
    ['Anna@Office.Example', 'office.example'],
    ['"a@b"@office.example', 'office.example'],
    ['anna@żółw.example', 'xn--w-uga1v8h.example'],
    ['anna', ''],
    ['anna@', ''],
    ['', ''],
  ])('of %s is %s', (address, domain) => {
    expect(domainOf(address)).toBe(domain)
  })
})

describe('the domain of an office', () => {
  it('is that of its address', () => {
    expect(officeDomain('office@nowak.example', isPublicMailDomain)).toBe('nowak.example')
  })

  it.each(['gmail.com', 'Outlook.com', 'wp.pl', 'op.pl', 'poczta.onet.pl', 'onet.eu', 'interia.pl', 'proton.me'])('is not %s', (domain) => {
    expect(officeDomain(`office@${domain}`, isPublicMailDomain)).toBe('')
  })
})
