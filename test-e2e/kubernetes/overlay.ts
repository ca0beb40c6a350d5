import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { services } from '@caseway/registry'
import { stringify } from 'yaml'
import { images, programs } from '../containers/images.js'
import { storeHosts } from './stores.js'

const manifests = fileURLToPath(new URL('../../deploy/kubernetes', import.meta.url))

/** A namespace of its own, so that another installation in the cluster is not affected. */
export const namespace = 'caseway-test'

/** The number of copies of each program. */
export const copies = 2

const settings = [
  'EXPERT_URL=https://experts.caseway.example',
  'CLIENT_URL=https://clients.caseway.example',
  'TOKEN_ISSUER=https://experts.caseway.example',
  `KAFKA_BROKERS=${storeHosts.kafka}:9093`,
  'KAFKA_USERNAME=caseway',
  'KAFKA_CA_FILE=/run/secrets/authorities/kafka.crt',
]

const addEmptyDirectory = (folder: string) =>
  JSON.stringify([
    { op: 'add', path: '/spec/template/spec/volumes/-', value: { name: 'data', emptyDir: {} } },
    { op: 'add', path: '/spec/template/spec/containers/0/volumeMounts/-', value: { name: 'data', mountPath: folder } },
  ])

/** Data folders in the pods themselves: the cluster has no shared storage, and the load stores nothing there. */
const folders = services
  .filter(({ keepsFolder }) => keepsFolder)
  .map(({ name }) => ({ target: { kind: 'Deployment', name }, patch: addEmptyDirectory(`/var/lib/caseway/${name}`) }))

/** Fixes the number of copies, because the tests control when copies come and go. */
const fixedCopies = {
  target: { kind: 'HorizontalPodAutoscaler' },
  patch: JSON.stringify([{ op: 'replace', path: '/spec/maxReplicas', value: copies }]),
}

/** Equal and small CPU requests, so that one node of two cores has room for all pods and the stores while the other is drained. */
const equalRequests = {
  target: { kind: 'Deployment' },
  patch: JSON.stringify([{ op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/cpu', value: '60m' }]),
}

const versions = programs.map((program) => {
  const [, newName, newTag] = /^(.+):([^:]+)$/.exec(images[program]) ?? []
  return { name: `caseway/${program}`, newName, newTag }
})

const write = (folder: string, content: object) => writeFileSync(join(folder, 'kustomization.yaml'), stringify(content))
const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' }

/** Writes an overlay of the bases with external databases and brokers, as an operator does. Returns its folder. */
export function writeOverlay(folder: string): string {
  const [base, versionsFolder] = [join(folder, 'overlay'), join(folder, 'overlay', 'versions')]
  mkdirSync(versionsFolder, { recursive: true })
  const here = (path: string) => relative(base, join(manifests, path))
  write(versionsFolder, { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', images: versions })
  write(base, {
    ...kustomization,
    namespace,
    resources: [here('bases')],
    components: [here('components/command-line'), 'versions', here('components/versioned-jobs')],
    configMapGenerator: [{ name: 'caseway', behavior: 'merge', literals: settings }],
    patches: [...folders, fixedCopies, equalRequests],
  })
  return base
}

/** Writes the same overlay with one more migration for a service, from a ConfigMap. Returns its folder. */
export function writeBrokenOverlay(overlay: string, service: string, configMap: string): string {
  const folder = `${overlay}-broken`
  mkdirSync(folder)
  const volume = { name: 'migration', configMap: { name: configMap } }
  const mount = { name: 'migration', mountPath: `/app/services/${service}/prisma/migrations/29990101000000_broken` }
  const patch = (kind: string, containers: string) => ({
    target: { kind, labelSelector: `app.kubernetes.io/name=${service}` },
    patch: JSON.stringify([
      { op: 'add', path: '/spec/template/spec/volumes/-', value: volume },
      { op: 'add', path: `/spec/template/spec/${containers}/0/volumeMounts/-`, value: mount },
    ]),
  })
  const patches = [patch('Job', 'containers'), patch('Deployment', 'initContainers')]
  write(folder, { ...kustomization, resources: [relative(folder, overlay)], patches })
  return folder
}
