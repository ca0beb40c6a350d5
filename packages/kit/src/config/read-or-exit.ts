import { ConfigError } from './define-config.js'

/** The configuration of this process; without a usable one it ends with 1, and says in sentences what is wrong. */
export function readOrExit<Values>(config: { read(env: NodeJS.ProcessEnv): Values }): Values {
  try {
    return config.read(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
