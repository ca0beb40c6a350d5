import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}
interface Recorded {
  record: string
  expr: string
}
interface Rules {
  groups: { rules: (Alert | Recorded)[] }[]
}
interface Panel {
  type: string
  title: string
  targets?: { expr: string }[]
}
interface RuleTests {
  tests: { promql_expr_test: { exp_samples: { labels: string }[] }[] }[]
}

const fileOf = (name: string) => readFileSync(new URL(`../../deploy/observability/${name}`, import.meta.url), 'utf8')

const rules = () => (parse(fileOf('alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules)

export const alerts = () => rules().filter((rule): rule is Alert => 'alert' in rule)

/** The recording rules. */
export const recorded = () => rules().filter((rule): rule is Recorded => 'record' in rule)

/** The alerts that a test of the rules expects to fire. */
export const triedAlerts = () =>
  (parse(fileOf('alerts.test.yml')) as RuleTests).tests
    .flatMap((test) => test.promql_expr_test)
    .flatMap(({ exp_samples }) => exp_samples.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]))

export const panels = () => (JSON.parse(fileOf('dashboard.json')) as { panels: Panel[] }).panels.filter(({ type }) => type !== 'row')

/** The metrics in an expression, by the grammar of Prometheus. @throws Error when it cannot be parsed */
export function metricsOf(expression: string): string[] {
  // Grafana replaces this variable by an interval.
  const text = expression.replaceAll('$__rate_interval', '5m')
  const names: string[] = []
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`${text} is not an expression: at ${from}`)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(text.slice(from, to))
    },
  })
  return names
}
