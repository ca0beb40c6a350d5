import type { TemplateValues } from './mail-template.js'

/** How the fields stand in a text: each by its name in double braces, `{{client.firstname}}`. */
export interface TemplateLanguage {
  /** The names of the fields, each once; undefined for a text that has anything else in double braces. */
  fieldsOf(text: string): readonly string[] | undefined
  /** The text with the values in place of the fields, nothing for those that have none. In HTML they are escaped. */
  render(text: string, values: TemplateValues, form: 'html' | 'plain'): string
}
