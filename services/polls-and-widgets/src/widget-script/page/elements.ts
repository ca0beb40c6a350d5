export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Creates an element with attributes and content. Strings become text nodes and are never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number | boolean> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, String(value))
  made.append(...content)
  return made
}

export const isChecked = (control: Control | undefined) => control instanceof HTMLInputElement && control.checked

/** Returns a new element id at each call. */
export const nextId = (() => {
  let last = 0
  return () => `q${++last}`
})()
