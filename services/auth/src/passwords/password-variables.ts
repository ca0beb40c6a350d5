import { integer } from '@caseway/kit/config'

export const passwordVariables = {
  PASSWORD_CONCURRENCY: integer({ default: 2, min: 1, help: 'Passwords hashed at the same time; each takes 19 MiB' }),
  PASSWORD_QUEUE: integer({ default: 60, min: 1, help: 'Maximum number of passwords that wait to be hashed; more are refused with 503' }),
}
