import type { DeclaredVariable } from '@caseway/kit/config'
import { memoryVariablesOf } from '@caseway/registry'
import { addressOf, type Workload } from './workloads.js'

/** The ConfigMap that all workloads read, made by an overlay from its `caseway.env`; and the Secret of what is secret and the same for all. */
export const installation = 'caseway'

/** What an overlay has to say, because nothing here can know it. */
export const installationVariables = ['EXPERT_URL', 'CLIENT_URL', 'TOKEN_ISSUER', 'KAFKA_BROKERS']

export const certificateFolder = '/run/secrets/tls'

/** Of PostgreSQL and Kafka: `postgresql.crt` and `kafka.crt`. */
export const authorityFolder = '/run/secrets/authorities'

/** The files that cert-manager writes into a Secret of type `kubernetes.io/tls`. */
const certificateFiles = new Map([
  ['GRPC_CERT_FILE', 'tls.crt'],
  ['GRPC_KEY_FILE', 'tls.key'],
  ['GRPC_CA_FILE', 'ca.crt'],
])

function derivedValue(variable: string): string | undefined {
  const file = certificateFiles.get(variable)
  return file ? `${certificateFolder}/${file}` : addressOf(variable)?.value
}

/**
 * What the ConfigMap of a workload says: where the others answer, where its certificate is, and how its process keeps memory where that is not as in every
 * image. Everything else has its default in the code, or is said by an overlay.
 * @throws Error when a variable is required that neither this knows nor an overlay says
 */
export function settingsOf({ name: workload, variables }: Workload): Record<string, string> {
  const settings: Record<string, string> = { ...memoryVariablesOf(workload) }
  for (const { name, variable } of variables) {
    if (variable.secret) continue
    const value = derivedValue(name)
    if (value !== undefined) settings[name] = value
    else if (isRequired({ name, variable }) && !installationVariables.includes(name)) {
      throw new Error(`${name} of ${workload} is required: deploy/kubernetes/src/environment.ts has to know its value.`)
    }
  }
  return settings
}

const isRequired = ({ variable }: DeclaredVariable) => variable.default === undefined && !variable.optional

/** The variables that come from Secrets. One that is shared is in the Secret of the installation, under its own name like every other. */
export const secretsOf = (variables: readonly DeclaredVariable[], secret: string) =>
  variables
    .filter(({ variable }) => variable.secret)
    .map(({ name, variable }) => ({
      name,
      valueFrom: {
        secretKeyRef: {
          name: variable.shared ? installation : secret,
          key: name,
          ...(!isRequired({ name, variable }) && { optional: true }),
        },
      },
    }))
