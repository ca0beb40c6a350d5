import { answersOf } from '../blocks/answered.js'
import { type Block, endsOf, isQuestion, type Question } from '../blocks/block.js'

/**
 * What one answer adds 1 to. Block 0 stands for the answer itself; the questions of a version are numbered from 1. Place 0 says that the question
 * was answered; from 1 on it is the option, or the step of the scale.
 */
export interface Fact {
  readonly block: number
  readonly place: number
}

const everyAnswer: Fact = { block: 0, place: 0 }

/**
 * An option that the question does not have counts nothing: it was blacked out since.
 * @param questions of the version that was answered
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
