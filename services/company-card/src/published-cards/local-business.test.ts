import { expect, it } from '@jest/globals'
import { localBusiness } from './local-business.js'

const card = {
  ...{ id: 1n, customerId: 2n, hash: 'a', revision: 3, citySlug: 'lodz', voivodeship: 5, logoFilename: null },
  ...{ name: 'Nowak', street: 'Piotrkowska 1', zip: '90-001', city: 'Łódź', contactMethod: '{}', scopeOfService: '{}' },
  ...{ shortDescription: null, description: null, phone: null, email: null, url: null, openingHours: '{}' },
}

const address = { '@type': 'PostalAddress', streetAddress: 'Piotrkowska 1', postalCode: '90-001', addressLocality: 'Łódź' }
const logoUrl = 'https://client.example/company_cards/a/logo'
const written = (business: object) => JSON.parse(JSON.stringify(business))

it('a card is a LocalBusiness without its empty fields', () => {
  expect(written(localBusiness(card, logoUrl))).toEqual({
    ...{ '@context': 'https://schema.org', '@type': 'LocalBusiness', name: 'Nowak', address },
  })
})

it('it has no empty fields', () => {
  const empty = { ...card, phone: '', description: '', shortDescription: 'Short' }
  expect(written(localBusiness(empty, logoUrl))).toEqual({ ...written(localBusiness(card, logoUrl)), description: 'Short' })
})

it('it says how to reach the office, and describes it in full or in short', () => {
  const entered = { phone: '+48 1', email: 'a@b.example', url: 'https://b.example', shortDescription: 'Short' }
  const contact = { telephone: '+48 1', email: 'a@b.example', url: 'https://b.example' }
  expect(localBusiness({ ...card, ...entered }, logoUrl)).toMatchObject({ ...contact, description: 'Short' })
  expect(localBusiness({ ...card, ...entered, description: 'Long' }, logoUrl)).toMatchObject({ description: 'Long' })
})

it('it has a specification for each time at which the office is open, and one for a day on which it is closed', () => {
  const openingHours = '{"1": [[545, 720], [780, 1440]], "6": [], "7": false}'
  const on = (day: string) => ({ '@type': 'OpeningHoursSpecification', dayOfWeek: `https://schema.org/${day}` })
  expect(localBusiness({ ...card, openingHours }, logoUrl).openingHoursSpecification).toEqual([
    { ...on('Monday'), opens: '09:05', closes: '12:00' },
    { ...on('Monday'), opens: '13:00', closes: '23:59' },
    on('Saturday'),
    on('Sunday'),
  ])
})

it('it says where its logo is, when it has one', () => {
  expect(localBusiness({ ...card, logoFilename: 'logo.png' }, logoUrl)).toMatchObject({ logo: logoUrl })
})
