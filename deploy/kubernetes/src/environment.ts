import type { DeclaredVariable } from '@caseway/kit/config'
import { memoryVariablesOf } from '@caseway/registry'
import { addressOf, type Workload } from './workloads.js'

/** The ConfigMap that all workloads read, which an overlay fills from its `caseway.env`, and the Secret of shared secrets have this name. */
export const installation = 'caseway'

/** Variables that every overlay has to set. */
export const installationVariables = ['EXPERT_URL', 'CLIENT_URL', 'TOKEN_ISSUER', 'KAFKA_BROKERS']

export const certificateFolder = '/run/secrets/tls'

/** Contains the CA certificates of PostgreSQL and Kafka, `postgresql.crt` and `kafka.crt`. */
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
 * The content of the ConfigMap of a workload: the addresses of others, the paths of its certificate, and the memory settings where they differ from
 * those of the images. Everything else has a default in the code, or is set by an overlay.
 * @throws Error when a required variable is set neither here nor by an overlay
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

/** The variables that come from Secrets. A shared one is in the Secret of the installation. */
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
