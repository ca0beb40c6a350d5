import { answersOf } from '../blocks/answered.js'
import { type Block, endsOf, isQuestion, type Question } from '../blocks/block.js'

/**
 * A count to which an answer adds 1. Block 0 is the answer itself; the questions of a version are numbered from 1. Place 0 means that the question
 * was answered; places from 1 on are its options, or the steps of its scale.
 */
export interface Fact {
  readonly block: number
  readonly place: number
}

const everyAnswer: Fact = { block: 0, place: 0 }

/**
 * The facts of an answer. An option that the question does not have is ignored, because it was blacked out by an erasure.
 * @param questions the questions of the answered version
 */
export function factsOf(questions: readonly Question[], answered: readonly Block[]): Fact[] {
  const blockOf = new Map(questions.map(({ data }, index) => [data.title, index + 1]))
  const facts = answered.filter(isQuestion).flatMap((answer) => {
    const block = blockOf.get(answer.data.title)
    const question = block && questions[block - 1]
    const answers = answersOf(answer)
    if (!question || answers.length === 0) return []
    const known = placesOf(question, answers).filter((place) => place > 0)
    return [0, ...known].map((place) => ({ block, place }))
  })
  return [everyAnswer, ...facts]
}

function placesOf(question: Question, answers: readonly string[]): number[] {
  switch (question.type) {
    case 'shortQuestion':
    case 'longQuestion':
      return []
    case 'oneOptionQuestion':
    case 'multipleOptionQuestion':
    case 'selectQuestion':
      return answers.map((answer) => question.data.options.findIndex(({ value }) => value === answer) + 1)
    case 'lineScaleQuestion':
      return answers.map((answer) => Number(answer) - endsOf(question.data)[0] + 1)
    default:
      return question satisfies never
  }
}
