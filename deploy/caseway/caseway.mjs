/** `npm run caseway`: builds what has changed, then runs the built command line. */
import { build } from '../../packages/install/build.mjs'

await build('npm run caseway')
await import('./dist/main.js')
