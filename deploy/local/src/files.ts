import { passedOn } from './passed-on.js'

/** The variables of the virus scanner and of size limits that are set in the launcher's environment. */
export const fileVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  passedOn(env, /^FILES_(?:CLAMD_|SCAN_|ALLOW_|MAX_|QUOTA_)/)

/** A sentence for the user about which viruses are detected. */
export const scannerSentence = ({ FILES_CLAMD_ADDRESS: address }: NodeJS.ProcessEnv): string =>
  address
    ? `Files are scanned for viruses by ${address}.`
    : 'Files are not scanned for viruses: without FILES_CLAMD_ADDRESS only the EICAR test file is found.'
