import { createHash, randomBytes } from 'node:crypto'

const count = 10
const codeBytes = 10

/** 80 random bits, in groups that can be read out and typed: `f3a9-07c2-…`. */
const newRecoveryCode = () => (randomBytes(codeBytes).toString('hex').match(/.{4}/g) as string[]).join('-')

/** New codes, for people who lose their authenticator app. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newRecoveryCode)

/** The hash of a code, ignoring case, spaces and hyphens. A fast hash suffices, because a code is random. */
export const hashRecoveryCode = (code: string) => createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toLowerCase()).digest()
