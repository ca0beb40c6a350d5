import { type Control, isChecked } from './elements.js'

type Value = string | boolean

const isChoice = ({ type }: Control) => type === 'radio' || type === 'checkbox'
const stateOf = (control: Control): Value => (isChoice(control) ? isChecked(control) : control.value)

function write(control: Control, value: Value | undefined): void {
  if (typeof value === 'string') control.value = value
  else if (control instanceof HTMLInputElement) control.checked = value === true
}

/** Ignores errors, because a browser may deny access to the storage. The draft is then lost with the page. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The draft of a form, in the storage of the tab. @param key different for other questions */
export const draftOf = (key: string, controls: readonly Control[]) => ({
  keep: () => void attempt(() => sessionStorage.setItem(key, JSON.stringify(controls.map(stateOf)))),
  remove: () => void attempt(() => sessionStorage.removeItem(key)),
  restore() {
    const values: Value[] = attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '[]')) ?? []
    if (values.length === controls.length) for (const [i, control] of controls.entries()) write(control, values[i])
  },
})
