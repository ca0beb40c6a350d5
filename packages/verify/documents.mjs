/** `node packages/verify/documents.mjs --write` writes the parts of documents that come from code; without `--write` it only looks. */
import { documents, writeDocuments } from './checks/documents.mjs'

const problems = process.argv.includes('--write') ? await writeDocuments() : (await documents()).problems
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
