import { readdirSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Manifest } from '../manifest.js'

const folder = new URL('../../test/schemas/', import.meta.url)

interface SchemaFile {
  /** The name of the definition of a kind, by keys such as `apps/v1 Deployment`. */
  readonly roots: Readonly<Record<string, string>>
  readonly definitions: object
}

/** The Kubernetes versions with a schema here, such as `1.36`. */
export const kubernetesVersions = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

function validatorsOf(version: string): ReadonlyMap<string, ValidateFunction> {
  const { roots, definitions } = JSON.parse(readFileSync(new URL(`${version}.json`, folder), 'utf8')) as SchemaFile
  // Kubernetes schemas have union types such as string or integer.
  const ajv = new Ajv({ allowUnionTypes: true })
  ajv.addSchema({ $id: 'kubernetes', definitions })
  const validators = Object.entries(roots).map(([kind, name]) => [kind, ajv.compile({ $ref: `kubernetes#/definitions/${name}` })] as const)
  return new Map(validators)
}

/**
 * Validates objects against the schemas of a Kubernetes version: unknown fields, missing fields and wrong types are problems. Custom resources are
 * not validated.
 */
export function schemaProblems(version: string, objects: readonly Manifest[]): string[] {
  const validators = validatorsOf(version)
  return objects.flatMap((object) => {
    const validate = validators.get(`${object.apiVersion} ${object.kind}`)
    const accepted: boolean = !validate || validate(object)
    if (accepted) return []
    const [error] = validate?.errors ?? []
    const at = `${error?.instancePath.replaceAll('/', '.')} ${error?.message} ${error?.params.additionalProperty ?? ''}`.trim()
    return [`${object.kind} ${object.metadata.name}: ${at} (Kubernetes ${version})`]
  })
}
