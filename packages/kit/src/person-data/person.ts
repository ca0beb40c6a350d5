import { domainToUnicode } from 'node:url'
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

/** With its domain as the DNS has it, and as people write it (RFC 5890, 2.3.2.1). */
export const inBothForms = (email: string): string[] => [
  ...new Set([email, email.replace(/[^@]*$/, (domain) => domainToUnicode(domain) || domain)]),
]

/** A shorter name is part of too many texts. */
const shortestName = 3
const fewestDigits = 7
const nationalDigits = 9

/** How HTML and JSON may write a character. */
const escapes: Readonly<Record<string, string>> = {
  '&': '&(?:amp;)?',
  '"': '(?:\\\\?"|&quot;|&#34;)',
  "'": "(?:['’]|&apos;|&#0?39;|&#x27;)",
}
const space = '(?:\\s|&nbsp;|\\\\[nrt])+'
/** Between the names of a full name, also in names of files and of senders. */
const betweenNames = '(?:[\\s,._-]|&nbsp;|\\\\[nrt])+'

const literal = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, (character) => escapes[character] ?? `\\${character}`)
const phrase = (text: string) => literal(text.normalize().trim()).replace(/\s+/g, space)

/** The digits, however they are divided. Of a number with a country the last nine are enough. */
const phoneExpression = (phone: string): string[] => {
  const digits = [...phone.replace(/\D/g, '')]
  if (digits.length < fewestDigits) return []
  const [country, national] = [digits.slice(0, -nationalDigits), digits.slice(-nationalDigits)]
  const between = '[ ().-]*'
  return [`\\+?${country.length > 0 ? `(?:${country.join(between)}${between})?` : ''}${national.join(between)}`]
}

const fullNames = ({ first, last }: PersonName) =>
  first && last
    ? [
        [first, last],
        [last, first],
      ]
    : []

/** The escape of a line break in JSON ends in a letter, which does not belong to the word after it. */
const wordStart = '(?:(?<![[:alnum:]])|(?<=\\\\[bfnrt]))'

/** What no letter and no digit precedes or follows; null for nothing. */
const anyOf = (expressions: readonly string[]): string | null => {
  const longestFirst = [...new Set(expressions)].sort((one, other) => other.length - one.length)
  return longestFirst.length === 0 ? null : `${wordStart}(?:${longestFirst.join('|')})(?![[:alnum:]])`
}

/** JSON of a record that names the client, or has the names in fields of their own. */
const recordOf = (clientId: Id, names: readonly PersonName[]): string => {
  const ofNames = names.flatMap(({ first, last }) =>
    first && last ? [`"first_?name":"${phrase(first)}","last_?name":"${phrase(last)}"`] : [],
  )
  return [`"user_client_id":"?${clientId}"?[,}]`, ...ofNames].join('|')
}

/**
 * Regular expressions of PostgreSQL: `sure` means the person in every text, `likely` in those that are about them, as JSON in which `record` is found.
 * And the phrases of `sure`, and the names in pairs.
 */
export function expressionsOf({ clientId, emails, phones, names, companies }: Person) {
  const full = names.flatMap(fullNames)
  const phrases = [...emails, ...phones, ...full.map((words) => words.join(' '))].map((text) => text.normalize()).filter(Boolean)
  const sure = [...emails.filter(Boolean).map(phrase), ...full.map((words) => words.map(phrase).join(betweenNames))]
  sure.push(...phones.flatMap(phoneExpression))
  const single = [...names.flatMap(({ first, last }) => [first, last]), ...companies].map((text) => text.normalize().trim())
  const likely = [...sure, ...single.filter((text) => [...text].length >= shortestName).map(phrase)]
  const pairs = names.filter(({ first, last }) => first && last)
  return {
    phrases,
    ...{ sure: anyOf(sure), likely: anyOf(likely), record: recordOf(clientId, names) },
    firsts: pairs.map(({ first }) => first.normalize()),
    lasts: pairs.map(({ last }) => last.normalize()),
  }
}
