import type { DeclaredVariable } from '@caseway/kit/config'
import { installation, secretsOf } from '../environment.js'
import { labelsOf, type Manifest } from '../manifest.js'
import { resourcesOf } from '../sizes.js'
import { authorities, containerSecurity, imageOf, isolation, podSecurity } from './pod.js'

const hourSeconds = 3_600

/** The name of the migration Job, and of the Secret with the owner's database URL, which no serving pod has. */
export const migrationOf = (workload: string) => `${workload}-migration`

/**
 * The Job that migrates the database. Its pod template is immutable, so an overlay adds the tag of the image to its name: each version has its own
 * Job.
 */
export function migrationJob(name: string, variables: readonly DeclaredVariable[]): Manifest {
  const labels = labelsOf(name, 'migration')
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: migrationOf(name), labels },
    spec: {
      backoffLimit: 4,
      activeDeadlineSeconds: hourSeconds,
      ttlSecondsAfterFinished: 24 * hourSeconds,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: name,
          ...isolation,
          securityContext: podSecurity,
          containers: [
            {
              name: 'migrate',
              image: imageOf(name),
              command: ['node', 'dist/migrate.js'],
              envFrom: [{ configMapRef: { name: installation } }],
              env: secretsOf(variables, migrationOf(name)),
              resources: resourcesOf({ cpu: '50m', memory: '96Mi', memoryLimit: '256Mi' }),
              securityContext: containerSecurity,
              volumeMounts: [authorities.mount],
            },
          ],
          volumes: [authorities.volume],
        },
      },
    },
  }
}
