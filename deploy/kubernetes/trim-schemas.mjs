/**
 * `node trim-schemas.mjs 1.36.json…` writes `test/schemas/1.36.json` from that file, a copy of `api/openapi-spec/swagger.json` of the sources of
 * Kubernetes 1.36: only the kinds of the manifests, without descriptions, and strict, so that a misspelt field is an error as with `kubectl apply
 * --validate=strict`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const kinds = [
  ['', 'v1', 'Namespace'],
  ['', 'v1', 'Service'],
  ['', 'v1', 'ServiceAccount'],
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'PersistentVolumeClaim'],
  ['apps', 'v1', 'Deployment'],
  ['batch', 'v1', 'Job'],
  ['policy', 'v1', 'PodDisruptionBudget'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['networking.k8s.io', 'v1', 'NetworkPolicy'],
  ['networking.k8s.io', 'v1', 'Ingress'],
]

/** Types that the document declares as string or integer, where both are allowed. */
const loose = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
}

const prefix = '#/definitions/'

function trimmed(swagger) {
  const definitions = {}
  const take = (name) => {
    if (definitions[name]) return
    definitions[name] = {}
    definitions[name] = loose[name] ?? strict(swagger.definitions[name], take)
  }
  const roots = kinds.map(([group, version, kind]) => {
    const [name] = Object.entries(swagger.definitions).find(([, definition]) =>
      definition['x-kubernetes-group-version-kind']?.some((one) => one.group === group && one.version === version && one.kind === kind),
    )
    take(name)
    return [`${group ? `${group}/` : ''}${version} ${kind}`, name]
  })
  return { roots: Object.fromEntries(roots), definitions }
}

/** The parts of a schema that constrain values. */
function strict(schema, take) {
  const { $ref, type, format, required, properties, items, additionalProperties, enum: values } = schema
  if ($ref) {
    take($ref.slice(prefix.length))
    return { $ref }
  }
  const inner = properties && Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strict(one, take)]))
  return {
    ...(format === 'int-or-string' ? loose['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] : type && { type }),
    ...(required && { required }),
    ...(values && { enum: values }),
    ...(items && { items: strict(items, take) }),
    ...(inner && { properties: inner, additionalProperties: false }),
    ...(!inner && typeof additionalProperties === 'object' && { additionalProperties: strict(additionalProperties, take) }),
  }
}

for (const file of process.argv.slice(2)) {
  const schemas = trimmed(JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(new URL(`test/schemas/${basename(file)}`, import.meta.url), `${JSON.stringify(schemas)}\n`)
}
