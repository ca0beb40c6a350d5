/**
 * `npm run test:mutation`: makes small changes to the code, and checks that a test fails for each. By default it mutates the changed files, with
 * `--all` all files, with paths the files below them. `--list` runs the hand-written mutations only, `--stryker` those of StrykerJS only.
 */
import { parseArgs } from 'node:util'
import setUp from '../testing/setup.mjs'
import tearDown from '../testing/teardown.mjs'
import { root } from '../verify/run.mjs'
import { changedFiles } from './changed.mjs'
import { mutations, staleOf } from './mutations.mjs'
import { mutatedParts } from './scope.mjs'
import { mutate } from './stryker.mjs'
import { outcomeOf } from './walk.mjs'

/** Minimum percentage of StrykerJS's mutants that tests must kill. */
const wantedScore = 85

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, list: { type: 'boolean' }, stryker: { type: 'boolean' } },
  allowPositionals: true,
})
const both = values.list === values.stryker
const named = values.all || positionals.length > 0 ? positionals : changedFiles(root)
const isNamed = (file) => values.all || named.includes(file)

async function walk() {
  const list = mutations.filter(({ file, test }) => isNamed(file) || isNamed(test))
  const bad = staleOf(root, list)
  for (const mutation of list) {
    const outcome = await outcomeOf(root, mutation)
    const line = `${outcome.padEnd(8)} ${mutation.file}: ${JSON.stringify(mutation.text)} → ${JSON.stringify(mutation.with)}`
    console.log(line)
    if (outcome !== 'killed') bad.push(`${line}\n         ${mutation.test}: ${mutation.killedBy}`)
  }
  console.log(`${list.length - bad.length} of ${list.length} mutations of the list were killed`)
  return bad
}

async function score() {
  const sum = { files: 0, killed: 0, survived: 0 }
  for (const part of mutatedParts(root, isNamed)) {
    const { killed, survived } = await mutate(part)
    sum.files += part.files.length
    sum.killed += killed
    sum.survived += survived
  }
  const all = sum.killed + sum.survived
  if (all === 0) return []
  const reached = (100 * sum.killed) / all
  const sentence = `${reached.toFixed(1)} % of ${all} mutants in ${sum.files} files were killed`
  console.log(sentence)
  return reached >= wantedScore ? [] : [sentence]
}

await setUp()
try {
  const bad = [...(both || values.list ? await walk() : []), ...(both || values.stryker ? await score() : [])]
  if (bad.length > 0) console.error(`\n${bad.join('\n')}`)
  process.exitCode = bad.length > 0 ? 1 : 0
} finally {
  await tearDown()
}
