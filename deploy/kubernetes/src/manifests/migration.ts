import type { DeclaredVariable } from '@caseway/kit/config'
import { installation, secretsOf } from '../environment.js'
import { labelsOf, type Manifest } from '../manifest.js'
import { resourcesOf } from '../sizes.js'
import { authorities, containerSecurity, imageOf, isolation, podSecurity } from './pod.js'

const hourSeconds = 3_600

/** The name of the Job, and of the Secret with which it may change the database: no pod that serves has that one. */
export const migrationOf = (workload: string) => `${workload}-migration`

/** Brings the database up to date. The pods of a Job cannot be changed once it is made: an overlay adds the tag of the image to its name, so that each version has its own. */
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
