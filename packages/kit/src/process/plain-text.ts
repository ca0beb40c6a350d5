import type { Logger } from '../observability/index.js'

/** Those of the values of a configuration that allow plain text. */
interface Insecure {
  readonly grpcInsecure?: boolean
  readonly kafkaInsecure?: boolean
  readonly databaseInsecure?: boolean
}

/** Says in one line of the log which connections are plain text, where the configuration allows some to be. */
export function warnOfPlainText({ grpcInsecure, kafkaInsecure, databaseInsecure }: Insecure, log: Logger): void {
  const allowed = { GRPC_INSECURE: grpcInsecure, KAFKA_INSECURE: kafkaInsecure, DATABASE_INSECURE: databaseInsecure }
  const variables = Object.entries(allowed).flatMap(([name, insecure]) => (insecure ? [name] : []))
  if (variables.length > 0) log.warn({ variables }, 'connections are in plain text, as these variables allow')
}
