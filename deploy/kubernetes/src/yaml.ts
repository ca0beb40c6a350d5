import { stringify } from 'yaml'

const generated = '# Written by npm run manifests, from what the code declares.\n'

/** Formats the documents of one file. */
export const yamlOf = (...documents: object[]): string =>
  generated + documents.map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')

export const kustomization = (content: object) =>
  yamlOf({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...content })

/** A kustomize component, which an overlay may include (https://kubectl.docs.kubernetes.io/guides/config_management/components). */
export const componentOf = (content: object) => yamlOf({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', ...content })
