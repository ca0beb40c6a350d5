import { beginning } from './beginning.js'
import type { VirusScanner } from './virus-scanner.js'

/** The test file of the European Institute for Computer Antivirus Research, in two parts, so that scanners do not detect this source. */
const signature = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''), 'latin1')

/** Detects the EICAR test file only (EICAR, "Download anti malware testfile": the file begins with its 68 characters). */
export const eicarScanner: VirusScanner = {
  async scan(content) {
    const isTestFile = (await beginning(content, signature.length)).equals(signature)
    return isTestFile ? { status: 'infected', error: 'Eicar-Test-Signature' } : { status: 'ok' }
  },
}
