const { env } = process

/** The public images and those of our services, or what the environment names, where no image can be pulled. */
export const images = {
  node: env.NODE_IMAGE ?? 'node:24-bookworm-slim',
  postgres: env.POSTGRES_IMAGE ?? 'postgres:18',
  kafka: env.KAFKA_IMAGE ?? 'apache/kafka:4.1.0',
  auth: env.AUTH_IMAGE ?? 'caseway/auth:latest',
  'cases-and-counters': env.CASES_AND_COUNTERS_IMAGE ?? 'caseway/cases-and-counters:latest',
  gateway: env.GATEWAY_IMAGE ?? 'caseway/gateway:latest',
}

export const services = ['auth', 'cases-and-counters', 'gateway'] as const
export type Service = (typeof services)[number]
