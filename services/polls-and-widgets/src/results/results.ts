import { type BlockOf, endsOf, type Question } from '../blocks/block.js'
import type { PollVersion } from '../polls/published-poll.js'
import type { PollCount } from './poll-count.js'

/** The number of answers to a question, and to each of its options or steps. */
interface QuestionResult {
  readonly type: Question['type']
  readonly title: string
  answers: number
  readonly options?: { value: string; answers: number }[]
  readonly histogram?: { value: number; answers: number }[]
  mean?: string | null
}

export interface Results {
  readonly answers: number
  readonly questions: readonly QuestionResult[]
}

const isScale = (question: Question): question is BlockOf<'lineScaleQuestion'> => question.type === 'lineScaleQuestion'

const stepsOf = (question: BlockOf<'lineScaleQuestion'>) => {
  const [from, to] = endsOf(question.data)
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}

/**
 * The results of all versions of a poll together. Questions with the same type and title are the same question, and so are options with the same
 * text. Questions and options that only older versions have come last.
 * @param versions the newest first
 */
export function resultsOf(versions: readonly PollVersion[], counts: readonly PollCount[]): Results {
  const countOf = new Map(counts.map(({ version, block, place, count }) => [`${version} ${block} ${place}`, count]))
  const questions = new Map<string, QuestionResult & { values: Map<string | number, number> }>()
  let answers = 0

  for (const { version, questions: asked } of versions) {
    const counted = (block: number, place: number) => countOf.get(`${version} ${block} ${place}`) ?? 0
    answers += counted(0, 0)
    for (const [index, question] of asked.entries()) {
      const { type, data } = question
      const key = `${type} ${data.title}`
      const result = questions.get(key) ?? { type, title: data.title, answers: 0, values: new Map() }
      questions.set(key, result)
      result.answers += counted(index + 1, 0)
      const values = 'options' in data ? data.options.map(({ value }) => value) : isScale(question) ? stepsOf(question) : []
      for (const [place, value] of values.entries())
        result.values.set(value, (result.values.get(value) ?? 0) + counted(index + 1, place + 1))
    }
  }
  return { answers, questions: [...questions.values()].map(shown) }
}

function shown({ values, ...result }: QuestionResult & { values: Map<string | number, number> }): QuestionResult {
  if (values.size === 0) return result
  const counted = [...values].map(([value, answers]) => ({ value, answers }))
  if (result.type !== 'lineScaleQuestion') return { ...result, options: counted as { value: string; answers: number }[] }
  const histogram = (counted as { value: number; answers: number }[]).sort((a, b) => a.value - b.value)
  const sum = histogram.reduce((sum, { value, answers }) => sum + value * answers, 0)
  return { ...result, histogram, mean: result.answers > 0 ? (sum / result.answers).toFixed(2) : null }
}
