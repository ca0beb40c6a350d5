import { run } from './run.js'

// kafkajs 2.2 asks newer versions of Node for timeouts below 0. They warn of it on the output for errors, and nothing comes of it.
process.removeAllListeners('warning')
process.exitCode = await run(process.argv.slice(2), { env: process.env, out: console.log, err: console.error })
