/** `npm start`: builds what has changed, then runs the built launcher. `--distributed` runs each service in processes of its own. */
import { build } from '../../packages/install/build.mjs'

const isDistributed = process.argv.includes('--distributed')
if (isDistributed) await build('npm run start:distributed', 'bundle')
else await build('npm start')
console.log('Starting Caseway ...')
const { main } = await import(isDistributed ? './dist/distributed/main.js' : './dist/main.js')
await main()
