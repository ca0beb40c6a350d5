import { readFile } from 'node:fs/promises'

/** A TypeScript file as a code block. */
export const sourceOf = async (path) => `\`\`\`ts\n${(await readFile(path, 'utf8')).trimEnd()}\n\`\`\``
