import { parseAllDocuments } from 'yaml'
import { generatedFiles } from '../generated.js'
import type { Manifest } from '../manifest.js'
import { brokenPolicies } from './policies.js'
import { kubernetesVersions, schemaProblems } from './schemas.js'

/** Parses the objects in YAML files, without kustomizations. */
export const objectsOf = (texts: Iterable<string>): Manifest[] =>
  [...texts].flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)).filter(({ metadata }) => metadata)

/** The problems of the generated objects. */
export function generatedProblems(): string[] {
  const objects = objectsOf(generatedFiles().values())
  return [...kubernetesVersions.flatMap((version) => schemaProblems(version, objects)), ...brokenPolicies(objects)]
}
