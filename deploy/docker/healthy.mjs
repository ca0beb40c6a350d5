/** The health check of a container: requests `/healthz` of its service. */
const { env } = process
const { ok } = await fetch(env.HEALTH_URL ?? 'http://127.0.0.1:3000/healthz')
process.exit(ok ? 0 : 1)
