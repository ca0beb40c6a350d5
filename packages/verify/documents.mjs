/** `node packages/verify/documents.mjs` checks the generated sections of documents; with `--write` it updates them. */
import { documents, writeDocuments } from './checks/documents.mjs'

const problems = process.argv.includes('--write') ? await writeDocuments() : (await documents()).problems
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
