import { passedOn } from './passed-on.js'

/** Where the bytes of files are: in the S3 store that the environment of the launcher names, without one in the home. */
export const storageVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^FILES_S3_/)
