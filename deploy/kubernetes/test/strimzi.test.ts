import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { objectsOf } from '../src/validation/validate.js'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

interface Templates {
  readonly template?: Readonly<Record<string, { readonly securityContext?: object }>>
}

interface Kafka {
  readonly kafka: Templates & { readonly config: Readonly<Record<string, unknown>>; readonly rack?: object }
  readonly entityOperator: Templates & Readonly<Record<string, object>>
}

const kafka = objectsOf([read('components/strimzi/kafka.yaml')]).find(({ kind }) => kind === 'Kafka')?.spec as Kafka

/** The requirements of the profile `restricted` for a container (https://kubernetes.io/docs/concepts/security/pod-security-standards). */
const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}

describe('the Kafka of Strimzi', () => {
  it('starts in a namespace that enforces the profile restricted', () => {
    const namespace = parse(read('overlays/single-node/namespace.yaml')) as { metadata: { labels: Record<string, string> } }
    expect(namespace.metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted')
    expect(kafka.kafka.template?.kafkaContainer?.securityContext).toEqual(restricted)
    const operators = Object.keys(kafka.entityOperator).filter((name) => name !== 'template')
    expect(operators).toEqual(['userOperator'])
    for (const operator of operators) expect(kafka.entityOperator.template?.[`${operator}Container`]?.securityContext).toEqual(restricted)
  })

  it('has no other container that would need a security context', () => {
    expect(Object.keys(kafka)).toEqual(['kafka', 'entityOperator'])
    expect(kafka.kafka.rack).toBeUndefined()
  })
})
