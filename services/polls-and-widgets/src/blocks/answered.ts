import { email, type Field, FieldError, line } from '@caseway/kit/fields'
import { type Block, type BlockOf, endsOf, isQuestion, type Question, repetitions, type Wrong, wrongBlocks } from './block.js'

const contactFields: Readonly<Record<keyof Respondent, Field<string>>> = {
  email,
  phone: line({ max: 40 }),
  firstname: line({ max: 100 }),
  lastname: line({ max: 100 }),
  company: line({ max: 255 }),
}

const isBlank = (value: string | undefined) => value === undefined || value.trim() === ''

/** The answers to a question as texts: the text, the chosen options, or the value on the scale. Empty where it was not answered. */
export function answersOf(block: Question): string[] {
  switch (block.type) {
    case 'shortQuestion':
    case 'longQuestion':
      return block.data.value === undefined || isBlank(block.data.value) ? [] : [block.data.value]
    case 'oneOptionQuestion':
    case 'multipleOptionQuestion':
    case 'selectQuestion':
      return [...new Set(block.data.options.flatMap(({ value, selected }) => (selected ? [value] : [])))]
    case 'lineScaleQuestion':
      return block.data.value === undefined ? [] : [String(block.data.value)]
    default:
      return block satisfies never
  }
}

/** Why the value of a question is invalid; undefined where it is valid. */
export function wrongValue(block: Question): string | undefined {
  if (block.data.required && answersOf(block).length === 0) return 'is required'
  switch (block.type) {
    case 'oneOptionQuestion':
    case 'selectQuestion':
      return block.data.options.filter(({ selected }) => selected).length > 1 ? 'must have at most one selected option' : undefined
    case 'lineScaleQuestion': {
      const [from, to] = endsOf(block.data)
      if (from > to) return `line_scale must not lead down from ${from} to ${to}`
      const { value = from } = block.data
      return value < from || value > to ? `value must be from ${from} to ${to}` : undefined
    }
    default:
      return undefined
  }
}

function wrongContact({ data }: BlockOf<'contact'>): string | undefined {
  const wrong = Object.entries(contactFields).flatMap(([name, field]) => {
    const value = data[name as keyof Respondent]
    const decoded = isBlank(value) ? undefined : field.decode(value, 'UTC')
    return decoded instanceof FieldError ? [`${name} ${decoded.text}`] : []
  })
  return wrong.length > 0 ? wrong.join('; ') : undefined
}

/**
 * Validates the blocks of an answer without its poll: one header, which is the first block; at most one contact; and valid values
 * of the questions.
 * @param refuseQuestion validates the value of a question, where a poll determines the valid ones
 */
export function wrongAnswer(blocks: readonly unknown[], refuseQuestion: (question: Question) => string | undefined = wrongValue): Wrong {
  const isRepeated = repetitions<string>()
  const refuse = (block: Block, index: number) => {
    if ((block.type === 'header') !== (index === 0)) return index === 0 ? 'must be a header' : 'must not be another header'
    if (isQuestion(block)) return refuseQuestion(block)
    if (block.type === 'header') return undefined
    return isRepeated(block.type) ? 'must not be another contact' : wrongContact(block)
  }
  return blocks.length === 0 ? { 0: 'must be a header' } : wrongBlocks(blocks, refuse)
}

export interface Respondent {
  readonly email: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly phone: string | null
  readonly company: string | null
}

/** The respondent, from the contact in the blocks. */
export function respondentOf(blocks: readonly Block[]): Respondent {
  const contact = blocks.find((block) => block.type === 'contact')?.data ?? {}
  const sent = (name: keyof Respondent) => (isBlank(contact[name]) ? null : (contact[name] ?? null))
  return {
    ...{ email: sent('email'), firstname: sent('firstname'), lastname: sent('lastname') },
    ...{ phone: sent('phone'), company: sent('company') },
  }
}
