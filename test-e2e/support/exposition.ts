/** A series in the text format of Prometheus, without its value. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

export interface Exposition {
  readonly series: readonly Series[]
  /** The names of all declared metrics, with or without a value. */
  readonly names: ReadonlySet<string>
}

export async function scrape(url: string): Promise<Exposition> {
  const text = await (await fetch(url)).text()
  const declared = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)]
  return {
    series: [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({ name, labels: labelsOf(labels) })),
    names: new Set(declared.flatMap(([, name = '', type]) => (type === 'histogram' ? partsOfHistogram.map((part) => name + part) : name))),
  }
}

const partsOfHistogram = ['_bucket', '_sum', '_count']

const labelsOf = (labels: string) =>
  Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]))
