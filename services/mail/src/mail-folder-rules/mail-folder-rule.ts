import { domainToUnicode } from 'node:url'
import type { Id } from '@caseway/kit/caller'
import type { HeaderFields, MailAddress } from '../parsing/parsed-mail.js'

export const conditionFields = ['from', 'to', 'subject', 'header'] as const
export const conditionOperators = ['contains', 'equals', 'starts_with', 'ends_with'] as const

/** A condition on a message. */
export interface RuleCondition {
  readonly field: (typeof conditionFields)[number]
  /** The name of the header where `field` is `header`. */
  readonly header?: string
  readonly operator: (typeof conditionOperators)[number]
  readonly value: string
}

/** Sorts messages into a custom folder when all of its conditions hold. */
export interface MailFolderRule {
  readonly id: Id
  readonly mailFolderId: Id
  readonly conditions: readonly RuleCondition[]
}

/** The parts of a message that conditions are compared with. */
export interface RuledMessage extends Pick<HeaderFields, 'from' | 'to' | 'cc' | 'subject'> {
  get(header: string): readonly string[]
}

/** The address with its domain in Unicode (RFC 5890, 2.3.2.1). */
const readable = (address: string) => address.replace(/[^@]*$/, (domain) => (domain.includes('xn--') && domainToUnicode(domain)) || domain)

const written = ({ address, name }: MailAddress) => [address, readable(address)].flatMap((one) => [one, name, `${name} <${one}>`])

/** The texts of a field, one of which has to match. An address is itself, its name, and both as in a header, each with its domain in ASCII and in Unicode. */
function textsOf(message: RuledMessage, { field, header = '' }: RuleCondition): readonly string[] {
  switch (field) {
    case 'from':
      return message.from ? written(message.from) : []
    case 'to':
      return [...message.to, ...message.cc].flatMap(written)
    case 'subject':
      return [message.subject]
    case 'header':
      return message.get(header)
    default:
      return field satisfies never
  }
}

const operators: Readonly<Record<RuleCondition['operator'], (text: string, value: string) => boolean>> = {
  contains: (text, value) => text.includes(value),
  equals: (text, value) => text === value,
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
}

const folded = (text: string) => text.normalize('NFC').toLowerCase().trim()

/** Whether all conditions hold; letter case is ignored. A rule without conditions matches nothing, and neither does one with a blank value. */
export function matches({ conditions }: Pick<MailFolderRule, 'conditions'>, message: RuledMessage): boolean {
  const holds = (condition: RuleCondition) => {
    const value = folded(condition.value)
    return value !== '' && textsOf(message, condition).some((text) => operators[condition.operator](folded(text), value))
  }
  return conditions.length > 0 && conditions.every(holds)
}

/** The first rule that matches. */
export const firstMatch = (rules: readonly MailFolderRule[], message: RuledMessage): MailFolderRule | undefined =>
  rules.find((rule) => matches(rule, message))
