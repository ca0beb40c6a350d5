import { ConfigError } from './define-config.js'

/** Reads the configuration from the environment of this process. Where it is not usable, prints the problems and exits with 1. */
export function readOrExit<Values>(config: { read(env: NodeJS.ProcessEnv): Values }): Values {
  try {
    return config.read(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
