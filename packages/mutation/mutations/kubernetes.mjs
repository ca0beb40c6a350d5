import { of } from './of.mjs'

const workloads = 'deploy/kubernetes/test/workloads.test.ts'
const migrate = 'packages/kit/test/database/migrate.test.ts'

/** Which connections are allowed on Kubernetes, where secrets are, and what a new version waits for. */
export default [
  ...of('deploy/kubernetes/src/manifests/network-policies.ts', workloads, [
    ['...stores, ...calls, ', '...stores, ', 'are allowed at both of their ends'],
    ["[...callers('grpc'), operator]", '[operator]', 'are allowed at both of their ends'],
    [
      '...workload.reaches.map((kind) => outside[kind])',
      '...Object.values(outside)',
      'to mail servers are allowed only for services that declare them',
    ],
  ]),
  ...of('deploy/kubernetes/src/environment.ts', workloads, [
    ['variable.shared ? installation : secret', 'secret', 'has secret variables from Secrets only'],
    [
      'isRequired({ name, variable }) && !installationVariables',
      'false && !installationVariables',
      'fails for a required variable without a value',
    ],
  ]),
  ...of('deploy/kubernetes/src/secrets.ts', 'deploy/kubernetes/test/secrets.test.ts', [
    ['labels: reloaded', 'labels: {}', 'for CloudNativePG, which reads them anew at once'],
  ]),
  ...of('deploy/kubernetes/src/components.ts', 'deploy/kubernetes/test/autoscaling.test.ts', [
    ["'state:mail_mailboxes:max'", "'mail_mailboxes'", 'are the consumer lag of each service, and for mail the number of its mailboxes'],
  ]),
  ...of('packages/kit/src/observability/process-metrics.ts', 'packages/kit/src/observability/process-metrics.test.ts', [
    ['constrained > 0 && ', '', 'the memory limit is that of the container, and undefined without one'],
    [' && constrained < machine', '', 'the memory limit is that of the container, and undefined without one'],
  ]),
  ...of('packages/kit/src/migrations/migrate.ts', migrate, [
    ['if (pending.length > 0) throw', 'if (pending.length < 0) throw', 'names the migrations that are not applied'],
  ]),
]
