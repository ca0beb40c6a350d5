import { type Control, element, isChecked, nextId } from './elements.js'
import type { Block } from './poll.js'
import type { Texts } from './texts.js'

/** A question in the form. */
export interface Question {
  readonly element: HTMLElement
  readonly controls: readonly Control[]
  /** The data of the block with the answer. */
  answered(): object
  isEmpty(): boolean
  /** Shows an error, or removes it where the message is empty. */
  mark(message: string): void
}

type Answered = Pick<Question, 'answered' | 'isEmpty'>

const nothing = (controls: readonly Control[]) =>
  controls.every((control) => (control.type === 'radio' || control.type === 'checkbox' ? !isChecked(control) : !control.value.trim()))

const titleOf = ({ title = '', required }: Block['data'], texts: Texts) => (required ? `${title} (${texts.required})` : title)

/** Returns the `mark` of a question, which shows errors in `note`. */
const marking = (subjects: readonly HTMLElement[], note: HTMLElement) => (message: string) => {
  note.textContent = message
  for (const subject of subjects) subject.setAttribute('aria-invalid', String(message !== ''))
}

function single({ data }: Block, texts: Texts, control: Control, answered: Answered['answered']): Question {
  const [id, note] = [nextId(), element('p', { id: nextId(), class: 'wrong' })]
  control.id = id
  control.setAttribute('aria-describedby', note.id)
  if (data.required) control.setAttribute('aria-required', 'true')
  const controls = [control]
  return {
    element: element('div', {}, element('label', { for: id }, titleOf(data, texts)), control, note),
    ...{ controls, answered, isEmpty: () => nothing(controls), mark: marking(controls, note) },
  }
}

function group(
  { data }: Block,
  texts: Texts,
  type: 'radio' | 'checkbox',
  labels: readonly string[],
  answered: (of: Control[]) => object,
): Question {
  const [name, note] = [nextId(), element('p', { id: nextId(), class: 'wrong' })]
  const controls = labels.map(() => element('input', { type, name, ...(type === 'checkbox' && { 'aria-describedby': note.id }) }))
  const radios = type === 'radio' && { role: 'radiogroup', 'aria-required': data.required === true, 'aria-describedby': note.id }
  const choices = controls.map((control, i) => element('label', { class: 'choice' }, control, ` ${labels[i]}`))
  const set = element('fieldset', { ...radios }, element('legend', {}, titleOf(data, texts)), ...choices, note)
  return {
    ...{ element: set, controls, answered: () => answered(controls), isEmpty: () => nothing(controls) },
    mark: marking(type === 'radio' ? [set] : controls, note),
  }
}

const written = (block: Block, texts: Texts, control: HTMLInputElement | HTMLTextAreaElement) =>
  single(block, texts, control, () => ({ ...block.data, value: control.value }))

/** The options of a question, with a flag on the chosen ones. */
const choosing = ({ data }: Block, isChosen: (index: number) => boolean) => ({
  ...data,
  options: data.options?.map(({ value }, i) => (isChosen(i) ? { value, selected: true } : { value })),
})

const options = (block: Block, texts: Texts, type: 'radio' | 'checkbox') =>
  group(block, texts, type, block.data.options?.map(({ value }) => value) ?? [], (of) => choosing(block, (i) => isChecked(of[i])))

function select(block: Block, texts: Texts): Question {
  const choices = block.data.options?.map(({ value }, i) => element('option', { value: i }, value)) ?? []
  const control = element('select', {}, element('option', { value: '' }, texts.choose), ...choices)
  return single(block, texts, control, () => choosing(block, (i) => control.selectedIndex === i + 1))
}

/** The maximum number of values that are shown as buttons; more are a number field. */
const maxButtons = 11

function scale(block: Block, texts: Texts): Question {
  const [{ label_from: from }, { label_to: to }] = block.data.line_scale ?? [{ label_from: none }, { label_to: none }]
  const count = to.value - from.value + 1
  const name = ({ text, value }: typeof from) => (text ? `${value} (${text})` : String(value))
  if (count > maxButtons) {
    const control = element('input', { type: 'number', min: from.value, max: to.value, placeholder: `${name(from)} – ${name(to)}` })
    return single(block, texts, control, () => ({ ...block.data, value: control.value === '' ? undefined : Number(control.value) }))
  }
  const labels = Array.from({ length: count }, (_, i) => (i === 0 ? name(from) : i === count - 1 ? name(to) : String(from.value + i)))
  return group(block, texts, 'radio', labels, (of) => {
    const chosen = of.findIndex(isChecked)
    return { ...block.data, value: chosen < 0 ? undefined : from.value + chosen }
  })
}

const none = { text: '', value: 0 }

/** The fields of a contact, with their `autocomplete` tokens (HTML Standard). */
const contactFields = [
  ['firstname', 'given-name'],
  ['lastname', 'family-name'],
  ['company', 'organization'],
  ['email', 'email'],
  ['phone', 'tel'],
] as const

function contact(_block: Block, texts: Texts): Question {
  const note = element('p', { id: nextId(), class: 'wrong' })
  const fields = contactFields.map(([name, autocomplete]) => {
    const control = element('input', { id: nextId(), autocomplete, 'aria-describedby': note.id })
    return { name, control, element: element('div', {}, element('label', { for: control.id }, texts[name]), control) }
  })
  const controls = fields.map(({ control }) => control)
  return {
    element: element('fieldset', {}, element('legend', {}, texts.contact), ...fields.map(({ element }) => element), note),
    controls,
    answered: () => Object.fromEntries(fields.flatMap(({ name, control: { value } }) => (value.trim() ? [[name, value]] : []))),
    isEmpty: () => nothing(controls),
    mark: marking(controls, note),
  }
}

/** The question of a block; undefined for the header, and for a type that this script does not know. */
export function questionOf(block: Block, texts: Texts): Question | undefined {
  switch (block.type) {
    case 'shortQuestion':
      return written(block, texts, element('input', { maxlength: 4000 }))
    case 'longQuestion':
      return written(block, texts, element('textarea', { maxlength: 4000, rows: 4 }))
    case 'oneOptionQuestion':
      return options(block, texts, 'radio')
    case 'multipleOptionQuestion':
      return options(block, texts, 'checkbox')
    case 'selectQuestion':
      return select(block, texts)
    case 'lineScaleQuestion':
      return scale(block, texts)
    case 'contact':
      return contact(block, texts)
  }
  return undefined
}
