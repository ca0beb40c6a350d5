import { passedOn } from './passed-on.js'

/** What scans files for viruses: the clamd that the environment of the launcher names. */
export const scannerVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  passedOn(env, /^FILES_(?:CLAMD_|SCAN_|ALLOW_ENCRYPTED$)/)

/** Says which viruses are found. */
export const scannerSentence = ({ FILES_CLAMD_ADDRESS: address }: NodeJS.ProcessEnv): string =>
  address
    ? `Files are scanned for viruses by ${address}.`
    : 'Files are not scanned for viruses: without FILES_CLAMD_ADDRESS only the EICAR test file is found.'
