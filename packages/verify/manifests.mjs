/** `node packages/verify/manifests.mjs` checks the generated manifests of deploy/kubernetes; with `--write` it updates them. */
import { manifests, policiesOfManifests, writeManifests } from './checks/manifests.mjs'

if (process.argv.includes('--write')) await writeManifests()
const problems = [...(await manifests()).problems, ...(await policiesOfManifests()).problems]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
