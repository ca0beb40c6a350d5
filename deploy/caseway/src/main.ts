import { run } from './run.js'

/** The command line of this process. */
export async function main(): Promise<void> {
  // kafkajs 2.2 asks newer versions of Node for timeouts below 0. They warn of it on the output for errors, and nothing comes of it.
  process.removeAllListeners('warning')
  const io = { env: process.env, out: console.log, err: console.error }
  process.exitCode = await run(process.argv.slice(2), io)
}
