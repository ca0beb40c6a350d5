import { wrongValue } from '../blocks/answered.js'
import { type Block, isQuestion, type Question, repetitions, type Wrong, wrongBlocks } from '../blocks/block.js'

/** The answer to a question, with `required` and the scale of the poll's question. */
const asAsked = (question: Question, answer: Question) =>
  ({
    ...answer,
    data: {
      ...answer.data,
      required: question.data.required,
      ...('line_scale' in question.data && { line_scale: question.data.line_scale }),
    },
  }) as Question

function wrongOption(question: Question, answer: Question): string | undefined {
  if (!('options' in question.data && 'options' in answer.data)) return undefined
  const known = new Set(question.data.options.map(({ value }) => value))
  const unknown = answer.data.options.find(({ value }) => !known.has(value))
  return unknown && `options must not have ${JSON.stringify(unknown.value)}, which the poll does not have`
}

/** The title of anything that was sent as a block, if it has one. */
const titleOf = (block: unknown) => (block as { data?: { title?: unknown } | null } | null)?.data?.title

/**
 * Validates blocks as an answer to `poll`: unknown questions and options, a contact that is not asked for, and invalid values. Missing required blocks are
 * reported at the header.
 */
export function wrongAnswerTo(poll: readonly Block[], blocks: readonly unknown[]): Wrong {
  const questions = new Map(poll.filter(isQuestion).map((question) => [question.data.title, question]))
  const asksForContact = poll.some(({ type }) => type === 'contact')
  const isRepeated = repetitions<string>()
  const answered = new Set<string>()

  const refuse = (block: Block) => {
    if (block.type === 'contact') return asksForContact ? undefined : 'is not asked for by the poll'
    if (block.type === 'header') return undefined
    const { title } = block.data
    answered.add(title)
    const question = questions.get(title)
    if (question?.type !== block.type) return 'is not a question of the poll'
    if (isRepeated(title)) return 'must not answer a question again'
    return wrongOption(question, block) ?? wrongValue(asAsked(question, block))
  }
  const wrong = wrongBlocks(blocks, refuse)
  // A refused block does not count as missing.
  const named = new Set<unknown>([...answered, ...Object.keys(wrong).map((index) => titleOf(blocks[Number(index)]))])
  const missing = [...questions.values()].filter(({ data: { title, required } }) => required && !named.has(title))
  const titles = missing.map(({ data }) => JSON.stringify(data.title)).join(', ')
  return missing.length === 0 ? wrong : { 0: `must be followed by an answer to ${titles}`, ...wrong }
}
