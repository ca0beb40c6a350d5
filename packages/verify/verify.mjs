/** `npm run verify`: the checks that need no running server, in seconds. */
import { boundaries } from './checks/boundaries.mjs'
import { contractsAgainstMain, contractsLint } from './checks/contracts.mjs'
import { documents } from './checks/documents.mjs'
import { lint } from './checks/lint.mjs'
import { integrity, licences } from './checks/lockfile.mjs'
import { manifests, policiesOfManifests } from './checks/manifests.mjs'
import { modules } from './checks/modules.mjs'
import { mutations } from './checks/mutations.mjs'
import { proofs } from './checks/proofs.mjs'
import { schemas } from './checks/schemas.mjs'
import { types, typesOfTests } from './checks/types.mjs'

/** Also builds what the other checks import. */
const first = { types }
const rest = {
  'types of tests': typesOfTests,
  'lint and format': lint,
  boundaries,
  contracts: contractsLint,
  'contracts against main': contractsAgainstMain,
  'migrations lead to the schema': schemas,
  'generated documents': documents,
  'modules in documents': () => modules(),
  'generated manifests': () => manifests(),
  'schemas and policies of manifests': () => policiesOfManifests(),
  'proofs exist': () => proofs(),
  'mutations find their texts': () => mutations(),
  'integrity of packages': () => integrity(),
  licences: () => licences(),
}

async function timed(name, check) {
  const startedAt = performance.now()
  const result = await check().catch((error) => ({ problems: [error.message] }))
  return { name, ...result, seconds: (performance.now() - startedAt) / 1000 }
}

function line({ name, problems, skipped, seconds }) {
  if (problems.length > 0) return `FAILED   ${name}`
  return skipped ? `skipped  ${name}: ${skipped}` : `ok       ${name} (${seconds.toFixed(1)} s)`
}

const results = []
for (const checks of [first, rest]) {
  const running = Object.entries(checks).map(([name, check]) => timed(name, check))
  for (const result of running) {
    results.push(await result)
    console.log(line(results.at(-1)))
  }
}

const failed = results.filter(({ problems }) => problems.length > 0)
for (const { name, problems } of failed) console.error(`\n${name}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
console.log(`\n${results.length - failed.length} of ${results.length} checks hold`)
process.exitCode = failed.length > 0 ? 1 : 0
