import { createHash, randomBytes } from 'node:crypto'

const count = 10
const codeBytes = 10

/** 80 random bits, in groups that can be read out and typed: `f3a9-07c2-…`. */
const newRecoveryCode = () => (randomBytes(codeBytes).toString('hex').match(/.{4}/g) as string[]).join('-')

/** Codes for whoever has lost what makes the one-time passwords. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newRecoveryCode)

/** However it was typed: in capitals, with spaces or without hyphens. The code is random, so that a plain hash says nothing of it. */
export const hashRecoveryCode = (code: string) => createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toLowerCase()).digest()
