import { passedOn } from './passed-on.js'

/** How files are scanned, and how large they may be, as the environment of the launcher says. */
export const fileVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  passedOn(env, /^FILES_(?:CLAMD_|SCAN_|ALLOW_|MAX_|QUOTA_)/)

/** Says which viruses are found. */
export const scannerSentence = ({ FILES_CLAMD_ADDRESS: address }: NodeJS.ProcessEnv): string =>
  address
    ? `Files are scanned for viruses by ${address}.`
    : 'Files are not scanned for viruses: without FILES_CLAMD_ADDRESS only the EICAR test file is found.'
