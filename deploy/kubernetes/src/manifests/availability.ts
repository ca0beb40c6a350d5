import { type Component, labelsOf, type Manifest, selectorOf } from '../manifest.js'

/** Voluntary disruptions, such as draining a node, may take down one copy at a time. */
export const disruptionBudget = (name: string): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, labels: labelsOf(name) },
  spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: selectorOf(name) } },
})

/** Scales from two copies upwards, targeting 70 % of the requested CPU. */
export const autoscaler = (name: string): Manifest => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
    behavior: { scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
  },
})

export const serviceAccount = (name: string, component?: Component): Manifest => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, labels: labelsOf(name, component) },
  automountServiceAccountToken: false,
})
