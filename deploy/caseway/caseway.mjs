/** `npm run caseway`: builds what has changed, then hands over to what was built. */
import { build } from '../../packages/install/build.mjs'

await build('npm run caseway')
await import('./dist/main.js')
