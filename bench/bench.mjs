/** `npm run bench`: builds what has changed, then hands over to what was built. */
import { build } from '../packages/install/build.mjs'

await build('npm run bench', 'bundle')
const { main } = await import('./dist/src/main.js')
await main(process.argv.slice(2))
