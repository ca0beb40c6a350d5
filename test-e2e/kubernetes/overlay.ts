import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { services } from '@caseway/registry'
import { stringify } from 'yaml'
import { images, programs } from '../containers/images.js'
import { storeHosts } from './stores.js'

const manifests = fileURLToPath(new URL('../../deploy/kubernetes', import.meta.url))

/** Kept apart from an installation that the cluster may have. */
export const namespace = 'caseway-test'

/** How many copies of each program there are. */
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

/** The cluster has no storage that pods share, and the requests of the load store nothing there. */
const folders = services
  .filter(({ keepsFolder }) => keepsFolder)
  .map(({ name }) => ({ target: { kind: 'Deployment', name }, patch: addEmptyDirectory(`/var/lib/caseway/${name}`) }))

/** What is tested is how copies come and go when somebody asks for it, and not when a busy machine does. */
const fixedCopies = {
  target: { kind: 'HorizontalPodAutoscaler' },
  patch: JSON.stringify([{ op: 'replace', path: '/spec/maxReplicas', value: copies }]),
}

/** The same for all, and small enough that one node of two cores has room for them while the other is drained, beside the stores. */
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

/** Writes an overlay of the bases and gives its folder: as an operator writes one, with given databases and brokers. */
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

/** The same installation, but that the image of a service has a migration more: the one of a ConfigMap. Gives its folder. */
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
