import { readFile } from 'node:fs/promises'

/** A file of TypeScript, as a document shows it. */
export const sourceOf = async (path) => `\`\`\`ts\n${(await readFile(path, 'utf8')).trimEnd()}\n\`\`\``
