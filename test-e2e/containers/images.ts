import { imageVariable, serviceNames } from '@caseway/registry'

const { env } = process

/** The services and the gateway. */
export const services = [...serviceNames, 'gateway'] as const
export type Service = (typeof services)[number]

/** Every program with an image, including the command line. */
export const programs = [...services, 'caseway'] as const
export type Program = (typeof programs)[number]

/** The public images and ours; variables name others, where images cannot be pulled. */
export const images = {
  node: env.NODE_IMAGE ?? 'node:24-bookworm-slim',
  postgres: env.POSTGRES_IMAGE ?? 'postgres:18',
  kafka: env.KAFKA_IMAGE ?? 'apache/kafka:4.1.0',
  ...(Object.fromEntries(programs.map((name) => [name, env[imageVariable(name)] ?? `caseway/${name}:latest`])) as Record<Program, string>),
}
