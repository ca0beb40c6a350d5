import { randomBytes } from 'node:crypto'

/** 96 random bits as 16 characters of base64url. */
export const newPassword = () => randomBytes(12).toString('base64url')
