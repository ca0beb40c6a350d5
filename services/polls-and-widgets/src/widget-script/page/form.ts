import { draftOf } from './draft.js'
import { element } from './elements.js'
import type { Poll } from './poll.js'
import { type Question, questionOf } from './questions.js'
import { type Outcome, send } from './sending.js'
import type { Texts } from './texts.js'

interface Target {
  readonly url: string
  /** The key of the draft. */
  readonly key: string
}

/** The form of a poll, which validates and sends the answer. */
export function pollForm({ name, blocks }: Poll, texts: Texts, { url, key }: Target): HTMLFormElement {
  const asked = blocks.map((block) => questionOf(block, texts))
  const questions = asked.filter((question) => question !== undefined)
  const status = element('p', { role: 'status' })
  const button = element('button', {}, texts.send)
  const form = element('form', { novalidate: '', 'aria-label': name })
  form.append(element('h2', {}, name), ...questions.map(({ element }) => element), button, status)
  const draft = draftOf(
    key,
    questions.flatMap(({ controls }) => controls),
  )
  draft.restore()
  form.addEventListener('input', draft.keep)

  let isBusy = false
  /** Not `disabled`, because the button would lose the focus, and people who use a keyboard their place. */
  const setBusy = (busy: boolean) => {
    isBusy = busy
    button.setAttribute('aria-disabled', String(busy))
  }

  /** Marks the invalid questions, and moves the focus to the first one. */
  const refuse = (wrong: readonly (Question | undefined)[], message: string) => {
    for (const question of questions) question.mark(wrong.includes(question) ? message : '')
    wrong.find((question) => question)?.controls[0]?.focus()
  }

  const finish = (text: string) => {
    const last = element('p', { role: 'status', tabindex: -1 }, text)
    form.replaceChildren(last)
    last.focus()
  }

  function follow(outcome: Outcome): void {
    setBusy(outcome.kind === 'wait')
    button.textContent = outcome.kind === 'failed' ? texts.retry : texts.send
    status.textContent = ''
    switch (outcome.kind) {
      case 'stored':
        draft.remove()
        finish(texts.thanks)
        break
      case 'closed':
        finish(texts.closed)
        break
      case 'wrong': {
        const wrong = asked.filter((_, i) => outcome.indexes.includes(String(i)))
        refuse(wrong, texts.wrong)
        // A refused question is not in this form, because the poll was published again.
        if (!wrong.some(Boolean)) status.textContent = texts.changed
        break
      }
      case 'long':
        status.textContent = texts.long
        break
      case 'wait':
        status.textContent = texts.wait.replace('{seconds}', String(outcome.seconds))
        setTimeout(submit, outcome.seconds * 1000)
        break
      case 'failed':
        status.textContent = texts.failed
    }
  }

  async function submit(): Promise<void> {
    setBusy(true)
    status.textContent = texts.sending
    follow(
      await send(
        url,
        blocks.map((block, i) => ({ ...block, data: asked[i]?.answered() ?? block.data })),
      ),
    )
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isBusy) return
    const missing = asked.filter((question, i) => blocks[i]?.data.required && question?.isEmpty())
    refuse(missing, texts.missing)
    if (missing.length === 0) void submit()
  })
  return form
}
