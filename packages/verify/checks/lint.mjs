import { run } from '../run.mjs'

/** Runs Biome; warnings are problems as well. */
export async function lint() {
  const { stdout, stderr } = await run('biome', ['check', '--reporter=json', '--max-diagnostics=none', '.'])
  if (!stdout.startsWith('{')) return { problems: [stderr] }
  const { diagnostics } = JSON.parse(stdout)
  return { problems: diagnostics.filter(({ severity }) => severity !== 'info').map(sentence) }
}

const sentence = ({ category, message, location }) =>
  category === 'format'
    ? `${location.path}: not formatted (npm run format)`
    : `${location.path}:${location.start?.line ?? 1}: ${category}: ${message}`
