import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../verify/run.mjs'

/**
 * Applies `edits`, functions from the text of a file to its new text by the path of the file, in memory.
 * @returns a function that writes all results
 * @throws Error when a file is missing or an edit fails; then nothing has been written
 */
export function prepareEdits(edits, project = root) {
  const results = Object.entries(edits).map(([file, edit]) => {
    const path = join(project, file)
    if (!existsSync(path)) throw new Error(`${file} does not exist.`)
    try {
      return [path, edit(readFileSync(path, 'utf8'))]
    } catch (error) {
      throw new Error(`${file}: ${error.message}`, { cause: error })
    }
  })
  return function writeEdits() {
    for (const [path, text] of results) writeFileSync(path, text)
    return Object.keys(edits).join(', ')
  }
}

/** Applies edits one after the other. */
export const all =
  (...edits) =>
  (text) =>
    edits.reduce((edited, edit) => edit(edited), text)

/** Replaces the only match of a pattern. */
export const replace = (pattern, replacement) => (text) => {
  if (!pattern.test(text)) throw new Error(`nothing matches ${pattern}`)
  return text.replace(pattern, replacement)
}

export const append = (addition) => (text) => text + addition

/** Adds imports of `names` from a module to those that the file already has. `npm run format` sorts the imports. */
export const importNames =
  (module, ...names) =>
  (text) => {
    const existing = new RegExp(`^import (type )?\\{\\s+([^}]*?),?\\s+\\} from '${module}'$`, 'm')
    const [line, type, imported] = existing.exec(text) ?? []
    const kept = imported?.split(/,\s+/).map((name) => (type ? `type ${name}` : name)) ?? []
    const statement = `import { ${[...new Set([...kept, ...names])].join(', ')} } from '${module}'`
    return line ? text.replace(line, statement) : `${statement}\n${text}`
  }
