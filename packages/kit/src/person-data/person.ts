import { domainToUnicode } from 'node:url'
import type { Id } from '../caller/index.js'

export interface PersonName {
  readonly first: string
  readonly last: string
}

/** A client of an office, with everything by which texts about them are found. */
export interface Person {
  readonly customerId: Id
  readonly clientId: Id
  /** Whether the account is erased as well, because no other office is linked with them. */
  readonly account: boolean
  readonly externalUserId: string | null
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly names: readonly PersonName[]
  readonly companies: readonly string[]
}

/** The address with its domain in ASCII, as it is, and in Unicode (RFC 5890, 2.3.2.1: A-label and U-label). */
export const inBothForms = (email: string): string[] => [
  ...new Set([email, email.replace(/[^@]*$/, (domain) => domainToUnicode(domain) || domain)]),
]

/** Shorter names are not searched for by themselves: they occur in too many texts. In characters. */
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
/** Separators between first and last name, including those in file names and sender names. */
const betweenNames = '(?:[\\s,._-]|&nbsp;|\\\\[nrt])+'

const literal = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, (character) => escapes[character] ?? `\\${character}`)
const phrase = (text: string) => literal(text.normalize().trim()).replace(/\s+/g, space)

/** An expression for the digits of a number, however they are grouped. The country code before the last nine digits is optional. */
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

/** The start of a word. The last letter of an escape in JSON (`\n`) does not belong to the word after it. */
const wordStart = '(?:(?<![[:alnum:]])|(?<=\\\\[bfnrt]))'

/** An expression for any of `expressions` as a whole word; null where there are none. */
const anyOf = (expressions: readonly string[]): string | null => {
  const longestFirst = [...new Set(expressions)].sort((one, other) => other.length - one.length)
  return longestFirst.length === 0 ? null : `${wordStart}(?:${longestFirst.join('|')})(?![[:alnum:]])`
}

/** An expression for the JSON of a record with the id of the client, or with first and last name in separate fields. */
const recordOf = (clientId: Id, names: readonly PersonName[]): string => {
  const ofNames = names.flatMap(({ first, last }) =>
    first && last ? [`"first_?name":"${phrase(first)}","last_?name":"${phrase(last)}"`] : [],
  )
  return [`"user_client_id":"?${clientId}"?[,}]`, ...ofNames].join('|')
}

/**
 * Regular expressions of PostgreSQL that find the person: `sure` in any text; `likely`, which has single names as well, only in texts about the person, such as
 * JSON in which `record` matches. `phrases` are the plain texts of `sure`; `firsts` and `lasts` are the pairs of names.
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
