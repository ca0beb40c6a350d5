import { randomBytes } from 'node:crypto'

/** 96 bits of chance, in letters that can be typed. */
export const newPassword = () => randomBytes(12).toString('base64url')
