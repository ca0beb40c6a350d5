/** Counts the rows of `poll_answers`, by title and, for options and steps, by value. */
export function recount(answers: readonly { readonly poll_json: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (key: string) => {
    counts[key] = (counts[key] ?? 0) + 1
  }
  for (const { poll_json } of answers) {
    add('answers')
    for (const { data } of JSON.parse(poll_json)) {
      const chosen: unknown[] = data.options?.filter((option: { selected?: boolean }) => option.selected).map(textOf) ?? []
      const values = data.options ? chosen : [data.value].filter((value) => value !== undefined && value !== '')
      if (data.title === undefined || values.length === 0) continue
      add(data.title)
      if (data.options || data.line_scale) for (const value of new Set(values)) add(`${data.title}: ${value}`)
    }
  }
  return counts
}

const textOf = ({ value }: { value?: unknown }) => value

interface Counted {
  readonly value: string
  readonly answers: string
}

export interface PollResults {
  readonly answers: string
  readonly questions: readonly {
    readonly title: string
    readonly answers: string
    readonly options?: readonly Counted[]
    readonly histogram?: readonly Counted[]
  }[]
}

/** The counts of an answer of `/rest/poll/{id}/results`, with the keys of `recount`. */
export function countsIn({ answers, questions }: PollResults): Record<string, number> {
  const all = questions.flatMap(({ title, answers, options = [], histogram = [] }) => [
    [title, answers],
    ...[...options, ...histogram].map((counted) => [`${title}: ${counted.value}`, counted.answers]),
  ])
  const entries = [['answers', answers], ...all].map(([key, count]) => [key, Number(count)] as const)
  return Object.fromEntries(entries.filter(([, count]) => count > 0))
}
