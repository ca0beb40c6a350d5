import type { TemplateValues } from './mail-template.js'

/** The syntax of templates: each field is its name in double braces, `{{client.firstname}}`. */
export interface TemplateLanguage {
  /** The names of the fields, each once; undefined where the text has anything else in double braces. */
  fieldsOf(text: string): readonly string[] | undefined
  /** Replaces the fields by their values, or by nothing where they have none. In HTML the values are escaped. */
  render(text: string, values: TemplateValues, form: 'html' | 'plain'): string
}
