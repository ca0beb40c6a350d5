/** `npm run bench:sharding`: builds what has changed, then simulates the growth of an installation. */
import { build } from '../packages/install/build.mjs'

await build('npm run bench:sharding')
const { shardingTables } = await import('./dist/src/sharding/sharding-tables.js')
console.log(shardingTables())
