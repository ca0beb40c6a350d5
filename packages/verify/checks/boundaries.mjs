import { existsSync } from 'node:fs'
import { join } from 'node:path'
import rules from '../../../.dependency-cruiser.mjs'
import { root, run } from '../run.mjs'

const folders = ['bench', 'deploy', 'gateway', 'packages', 'protos', 'services', 'test-e2e']

/** Checks the imports by the rules of `.dependency-cruiser.mjs`. */
export async function boundaries(project = root) {
  const present = folders.filter((folder) => existsSync(join(project, folder)))
  const config = join(root, '.dependency-cruiser.mjs')
  const { stdout, stderr } = await run('depcruise', ['--config', config, '--output-type', 'json', ...present], { cwd: project })
  if (!stdout) return { problems: [stderr] }
  const { summary } = JSON.parse(stdout)
  return { problems: summary.violations.map(sentence).sort() }
}

function sentence({ rule, from, to, cycle }) {
  const way = cycle ? [from, ...cycle.map(({ name }) => name)] : [from, to]
  const { comment } = rules.forbidden.find(({ name }) => name === rule.name)
  return `${rule.name}: ${way.join(' → ')} (${comment})`
}
