import type { Id } from '../caller/index.js'

export interface PersonName {
  readonly first: string
  readonly last: string
}

/** A client of an office, with everything by which they are found in what people have written. */
export interface Person {
  readonly customerId: Id
  readonly clientId: Id
  /** Whether the account goes as well, because no other office deals with them. */
  readonly account: boolean
  readonly externalUserId: string | null
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly names: readonly PersonName[]
  readonly companies: readonly string[]
}

/** A shorter name is part of too many texts. */
const shortestName = 3
const fewestDigits = 7
const nationalDigits = 9

const literal = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')
const phrase = (text: string) => literal(text.trim()).replace(/\s+/g, '\\s+')

/** The digits, however they are divided. Of a number with a country the last nine are enough. */
const phoneExpression = (phone: string): string[] => {
  const digits = [...phone.replace(/\D/g, '')]
  if (digits.length < fewestDigits) return []
  const [country, national] = [digits.slice(0, -nationalDigits), digits.slice(-nationalDigits)]
  const between = '[ ().-]*'
  return [`\\+?${country.length > 0 ? `(?:${country.join(between)}${between})?` : ''}${national.join(between)}`]
}

const fullNames = ({ first, last }: PersonName): string[] => (first && last ? [`${first} ${last}`, `${last} ${first}`] : [])

/** What no letter and no digit precedes or follows; null for nothing. */
const anyOf = (expressions: readonly string[]): string | null => {
  const longestFirst = [...new Set(expressions)].sort((one, other) => other.length - one.length)
  return longestFirst.length === 0 ? null : `(?<![[:alnum:]])(?:${longestFirst.join('|')})(?![[:alnum:]])`
}

/** Regular expressions of PostgreSQL: `sure` means the person in every text, `likely` in those that are about them. And the phrases of `sure`. */
export function expressionsOf({ emails, phones, names, companies }: Person) {
  const phrases = [...emails, ...phones, ...names.flatMap(fullNames)].map((text) => text.normalize()).filter(Boolean)
  const sure = [...emails, ...names.flatMap(fullNames)].filter(Boolean).map((text) => phrase(text.normalize()))
  sure.push(...phones.flatMap(phoneExpression))
  const single = [...names.flatMap(({ first, last }) => [first, last]), ...companies].map((text) => text.normalize().trim())
  const likely = [...sure, ...single.filter((text) => [...text].length >= shortestName).map(phrase)]
  return { phrases, sure: anyOf(sure), likely: anyOf(likely) }
}
