/** A sentence for the user about which viruses are detected. */
export const scannerSentence = ({ FILES_CLAMD_ADDRESS: address }: NodeJS.ProcessEnv): string =>
  address
    ? `Files are scanned for viruses by ${address}.`
    : 'Files are not scanned for viruses: without FILES_CLAMD_ADDRESS only the EICAR test file is found.'
