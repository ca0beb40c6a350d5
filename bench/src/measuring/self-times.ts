/** The part of `Profiler.Profile` of the DevTools protocol that is used. */
export interface CpuProfile {
  nodes: { hitCount?: number; callFrame: CallFrame }[]
}

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}

/** The share of a function in the busy time of a process, without its callees. */
export interface SelfTime {
  where: string
  percent: number
}

export interface SelfTimes {
  /** Percentage of the busy time. */
  busy: number
  packages: readonly SelfTime[]
  functions: readonly SelfTime[]
}

export function selfTimesOf({ nodes }: CpuProfile): SelfTimes {
  const all = hitsIn(nodes)
  const working = nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)')
  const total = hitsIn(working)
  const by = (nameOf: (frame: CallFrame) => string): SelfTime[] => {
    const hits = new Map<string, number>()
    for (const { hitCount = 0, callFrame } of working) hits.set(nameOf(callFrame), (hits.get(nameOf(callFrame)) ?? 0) + hitCount)
    const shares = [...hits].map(([where, count]) => ({ where, percent: (count / total) * 100 }))
    return shares.sort((one, other) => other.percent - one.percent)
  }
  return { busy: (total / all) * 100, packages: by(packageOf), functions: by(functionOf) }
}

const hitsIn = (nodes: CpuProfile['nodes']) => nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0)

/** The path below the last node_modules, or below the project. */
const fileOf = (url: string) =>
  /.*node_modules\/(.+)$/.exec(url)?.[1] ?? url.replace(/^file:.*?\/(?=(?:packages|services|gateway|protos)\/)/, '')

const functionOf = ({ functionName, url, lineNumber }: CallFrame) =>
  `${functionName || '(anonymous)'} ${url ? `${fileOf(url)}:${lineNumber + 1}` : ''}`.trim()

/** Native functions, such as the writing to sockets, count by their own names. */
function packageOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName || '(anonymous)'
  if (url.startsWith('node:')) return 'node'
  const [first = '', second = '', , third = ''] = fileOf(url).split('/')
  if (first === 'packages') return `${second}/${third}`
  return first.startsWith('@') || first === 'services' ? `${first}/${second}` : first
}
