import { passedOn } from './passed-on.js'

/** Where the bytes of files and of messages are: in the S3 stores that the environment of the launcher names, without one in the home. */
export const storageVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^(?:FILES|MAIL)_S3_/)
