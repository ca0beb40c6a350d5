import { answersOf, respondentOf } from '../blocks/answered.js'
import { type Block, type BlockOf, endsOf, isQuestion, type Question, repetitions, wrongBlocks } from '../blocks/block.js'

/** The maximum number of steps of a scale, each of which has counts of its own. */
const maxSteps = 100

/** The maximum size of an answer, which contains the questions, and the part of it that is reserved for what the respondent writes, in bytes. */
const [maxAnswerBytes, writtenBytes] = [65_536, 8_192]

const valued = 'must not have a value'

function wrongQuestion(block: Question): string | undefined {
  if (answersOf(block).length > 0) return valued
  switch (block.type) {
    case 'oneOptionQuestion':
    case 'multipleOptionQuestion':
    case 'selectQuestion':
      return wrongOptions(block.data.options)
    case 'lineScaleQuestion': {
      const [from, to] = endsOf(block.data)
      return from < to && to - from < maxSteps
        ? undefined
        : `line_scale must lead up from one value to another in at most ${maxSteps} steps`
    }
    default:
      return undefined
  }
}

/** Refuses values in a contact of a poll, because they would be public. */
const wrongContact = (block: BlockOf<'contact'>) =>
  Object.values(respondentOf([block])).some((value) => value !== null) ? valued : undefined

function wrongOptions(options: BlockOf<'selectQuestion'>['data']['options']): string | undefined {
  const isRepeated = repetitions<string>()
  const repeated = options.find(({ value }) => isRepeated(value))
  return repeated && `options must not repeat ${JSON.stringify(repeated.value)}`
}

/**
 * Why blocks are not a valid poll; undefined where they are. They must have no values; titles and options must be unique, because answers and results name them
 * by their texts; and an answer must not become too large. The header may be missing, because its `poll_id` is known.
 */
export function wrongPoll(blocks: readonly unknown[]): string | undefined {
  const isRepeatedTitle = repetitions<string>()
  const isRepeatedType = repetitions<string>()
  const wrong = wrongBlocks(blocks, (block, index) => {
    if (block.type === 'header') return index > 0 ? 'must not be a header' : undefined
    if (block.type === 'contact') return isRepeatedType(block.type) ? 'must not be another contact' : wrongContact(block)
    return isRepeatedTitle(block.data.title) ? 'title must not be that of another question' : wrongQuestion(block)
  })
  const texts = Object.entries(wrong).map(([index, text]) => `${index}: ${text}`)
  if (texts.length > 0) return `must be blocks of a poll; ${texts.join('; ')}`
  if (questionsOf(blocks as Block[]).length === 0) return 'must have a question'
  const maxBytes = maxAnswerBytes - writtenBytes
  return answerBytes(blocks as Block[]) > maxBytes ? `must be at most ${maxBytes} bytes with every option selected` : undefined
}

/** The maximum size of an answer without the texts of the respondent, in bytes. */
const answerBytes = (blocks: readonly Block[]): number => Buffer.byteLength(JSON.stringify(blocks.map(answeredInFull)))

const answeredInFull = (block: Block): unknown =>
  'options' in block.data ? { ...block, data: { ...block.data, options: block.data.options.map(selected) } } : block

const selected = (option: object) => ({ ...option, selected: true })

export const questionsOf = (blocks: readonly Block[]): Question[] => blocks.filter(isQuestion)
