import { passedOn } from './passed-on.js'

/** The variables of S3 stores for files and messages that are set in the launcher's environment; without them the bytes are stored in the home. */
export const storageVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^(?:FILES|MAIL)_S3_/)
