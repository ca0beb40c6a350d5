import mustache from 'mustache'
import type { TemplateLanguage } from './template-language.js'

/** A token of mustache's parser; the type of a variable whose value is escaped is `name`. */
type Token = readonly [type: string, name: string, ...rest: unknown[]]

/** Without its cache: a writer would keep every text that it has parsed. */
const writer = new mustache.Writer()
Object.assign(writer, { templateCache: undefined })

/** Mustache (https://mustache.github.io/mustache.5.html), restricted to variables. */
export const mustacheTemplates: TemplateLanguage = {
  fieldsOf(text) {
    const tags = tagsOf(text)
    return tags?.every(([type, name]) => type === 'name' && name !== '') ? [...new Set(tags.map(([, name]) => name))] : undefined
  },

  render: (text, values, form) => writer.render(text, values, undefined, form === 'html' ? undefined : { escape: String }),
}

function tagsOf(text: string): readonly Token[] | undefined {
  try {
    return (writer.parse(text) as Token[]).filter(([type]) => type !== 'text')
  } catch {
    return undefined
  }
}
