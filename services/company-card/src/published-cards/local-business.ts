import type { OpeningHours } from '../company-cards/opening-hours.js'
import type { PublishedCard } from './published-card.js'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Formats minutes after midnight. The end of a day is written as `23:59`, because `00:00` would be its beginning. */
function timeOf(minutes: number): string {
  const minute = Math.min(minutes, 1439)
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

/** Opening hours for JSON-LD. A day without `opens` means closed (https://schema.org/OpeningHoursSpecification). */
const specificationsOf = (hours: OpeningHours) =>
  Object.entries(hours).flatMap(([day, times]) => {
    const specification = { '@type': 'OpeningHoursSpecification', dayOfWeek: `https://schema.org/${days[Number(day) - 1]}` }
    if (times === false || times.length === 0) return [specification]
    return times.map(([from, to]) => ({ ...specification, opens: timeOf(from), closes: timeOf(to) }))
  })

/**
 * A card in JSON-LD, as https://schema.org/LocalBusiness. Empty fields are omitted.
 * @param logoUrl the address of its logo, if any
 */
export const localBusiness = (card: PublishedCard, logoUrl: string) => {
  const openingHours = specificationsOf(JSON.parse(card.openingHours))
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name: card.name,
    description: card.description || card.shortDescription || undefined,
    telephone: card.phone || undefined,
    email: card.email || undefined,
    url: card.url || undefined,
    logo: card.logoFilename === null ? undefined : logoUrl,
    address: { '@type': 'PostalAddress', streetAddress: card.street, postalCode: card.zip, addressLocality: card.city },
    openingHoursSpecification: openingHours.length > 0 ? openingHours : undefined,
  }
}
