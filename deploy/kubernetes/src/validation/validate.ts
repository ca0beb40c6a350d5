import { parseAllDocuments } from 'yaml'
import { generatedFiles } from '../generated.js'
import type { Manifest } from '../manifest.js'
import { brokenPolicies } from './policies.js'
import { kubernetesVersions, schemaProblems } from './schemas.js'

/** The objects in files of YAML; a kustomization is none. */
export const objectsOf = (texts: Iterable<string>): Manifest[] =>
  [...texts].flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)).filter(({ metadata }) => metadata)

/** What is wrong with the objects that are written from what the code declares. */
export function generatedProblems(): string[] {
  const objects = objectsOf(generatedFiles().values())
  return [...kubernetesVersions.flatMap((version) => schemaProblems(version, objects)), ...brokenPolicies(objects)]
}
