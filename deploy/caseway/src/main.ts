import { run } from './run.js'

// kafkajs 2.2 sets negative timeouts, of which newer versions of Node warn on stderr. They are harmless.
process.removeAllListeners('warning')
process.exitCode = await run(process.argv.slice(2), { env: process.env, out: console.log, err: console.error })
