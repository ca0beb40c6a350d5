/** `npm run bench`: builds what has changed, then runs the built benchmarks. */
import { build } from '../packages/install/build.mjs'

await build('npm run bench', 'bundle')
const { main } = await import('./dist/src/main.js')
await main(process.argv.slice(2))
