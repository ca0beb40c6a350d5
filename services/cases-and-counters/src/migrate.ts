import { fileURLToPath } from 'node:url'
import { defineConfig, text, url } from '@caseway/kit/config'
import { migrate } from '@caseway/kit/database'

const config = defineConfig('CASES_AND_COUNTERS', {
  OWNER_DATABASE_URL: url({
    protocols: ['postgres', 'postgresql'],
    secret: true,
    help: 'Database of the service, with the role that owns its tables',
  }),
  ROLE: text({ default: 'cases-and-counters', help: 'The role of the service, which owns nothing' }),
  ROLE_PASSWORD: text({ optional: true, secret: true, help: 'With it the role is created, or gets it; without it the role has to exist' }),
})

/** The job before a rollout: brings the database up to date, and ends. The code that still runs works on the new schema too. */
const { ownerDatabaseUrl: ownerUrl, role: serviceRole, rolePassword: servicePassword } = config.read(process.env)
const dir = fileURLToPath(new URL('../prisma/migrations', import.meta.url))
const applied = await migrate({ ownerUrl, serviceRole, servicePassword, dir })
console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
