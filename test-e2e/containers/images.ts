import { imageVariable, serviceNames } from '@caseway/registry'

const { env } = process

/** The services, and the gateway before them. */
export const services = [...serviceNames, 'gateway'] as const
export type Service = (typeof services)[number]

/** Every program of which there is an image: also the command line. */
export const programs = [...services, 'caseway'] as const
export type Program = (typeof programs)[number]

/** The public images and those of our services, or what the environment names, where no image can be pulled. */
export const images = {
  node: env.NODE_IMAGE ?? 'node:24-bookworm-slim',
  postgres: env.POSTGRES_IMAGE ?? 'postgres:18',
  kafka: env.KAFKA_IMAGE ?? 'apache/kafka:4.1.0',
  ...(Object.fromEntries(programs.map((name) => [name, env[imageVariable(name)] ?? `caseway/${name}:latest`])) as Record<Program, string>),
}
