import { setImmediate as nextTurn } from 'node:timers/promises'
import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import type { Db, Tx } from '../../support/notes.js'

type Way = 'prisma' | 'raw' | 'query' | 'upsert' | 'nested create'

/** A step of the work of a transaction. */
export type Node =
  | { readonly kind: 'insert'; readonly way: Way }
  /** A statement that PostgreSQL rejects; by 'upsert' and 'nested create' in a transaction that Prisma begins by itself. */
  | { readonly kind: 'refused'; readonly way: Way; readonly caught: boolean }
  | { readonly kind: 'throw'; readonly caught: boolean }
  | { readonly kind: 'read' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'write'; readonly caught: boolean; readonly body: readonly Node[] }
  | { readonly kind: 'parallel'; readonly branches: readonly (readonly Node[])[] }
  /** Work that is begun and not awaited. */
  | { readonly kind: 'left'; readonly body: readonly Node[] }
  /** Work that begins when the surrounding write has ended. */
  | { readonly kind: 'late'; readonly body: readonly Node[] }

const way = fc.constantFrom<Way>('prisma', 'raw', 'query', 'upsert', 'nested create')
const body = (node: fc.Arbitrary<Node>, maxLength = 3) => fc.array(node, { maxLength })

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('insert' as const), way }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), way, caught: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('throw' as const), caught: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constantFrom<Node>({ kind: 'read' }, { kind: 'pause' }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), caught: fc.boolean(), body: body(tie('node')) }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('parallel' as const), branches: fc.array(body(tie('node'), 2), { maxLength: 3 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('left' as const), body: body(tie('node'), 2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), body: body(tie('node'), 2) }) },
  ),
}))

export const trees = fc.array(node, { minLength: 1, maxLength: 3 })

interface Frame {
  readonly outer: Frame | undefined
  readonly ended: PromiseWithResolvers<void>
  kept: boolean
}

const isKept = (frame: Frame): boolean => frame.kept && (!frame.outer || isKept(frame.outer))

export interface Run {
  readonly kept: boolean
  /** The titles of inserts that succeeded in frames that were kept, as were all frames around them. */
  readonly expected: string[]
  /** Statements that succeeded although they were sent after the end of their frame: there must be none. */
  readonly lateAnswers: string[]
}

/** Runs the tree as the work of one `write`, and waits for everything that the work has begun. */
export async function runTree(db: Db, customerId: bigint, tree: readonly Node[]): Promise<Run> {
  const foreign = randomId()
  const answered: { title: string; frame: Frame }[] = []
  const lateAnswers: string[] = []
  const begun: Promise<unknown>[] = []
  let titles = 0

  const send: Record<Way, (tx: Tx, customerId: bigint, title: string) => Promise<unknown>> = {
    prisma: (tx, customerId, title) => tx.note.create({ data: { customerId, title } }),
    raw: (tx, customerId, title) => tx.$executeRaw`INSERT INTO notes (customer_id, title) VALUES (${customerId}, ${title})`,
    query: (_, owner, title) =>
      db.query(office(customerId), CompiledQuery.raw('INSERT INTO notes (customer_id, title) VALUES ($1, $2)', [owner, title])),
    upsert: (tx, customerId, title) => tx.note.upsert({ where: { id: randomId() }, create: { customerId, title }, update: {} }),
    'nested create': (tx, customerId, title) =>
      tx.note.create({ data: { customerId, title, comments: { create: { customerId, body: title } } } }),
  }

  const write = async (nodes: readonly Node[], outer?: Frame, late = false) => {
    const frame: Frame = { outer, ended: Promise.withResolvers(), kept: false }
    try {
      await db.write(office(customerId), (tx) => runAll(nodes, tx, frame, late))
      frame.kept = true
      if (late) lateAnswers.push('write')
    } finally {
      frame.ended.resolve()
    }
  }

  const runAll = async (nodes: readonly Node[], tx: Tx, frame: Frame, late: boolean) => {
    for (const node of nodes) await run(node, tx, frame, late)
  }
  /** Does not await `work`, whether it succeeds or fails; `runTree` does at the end. */
  const leave = (work: Promise<unknown>) => {
    const over = work.catch(() => undefined)
    begun.push(over)
  }

  const run = async (node: Node, tx: Tx, frame: Frame, late: boolean): Promise<void> => {
    const unlessCaught = async (caught: boolean, work: Promise<unknown>) => {
      await (caught ? work.catch(() => undefined) : work)
    }
    switch (node.kind) {
      case 'insert': {
        const title = `${titles++}`
        await send[node.way](tx, customerId, title)
        answered.push({ title, frame })
        if (late) lateAnswers.push(title)
        return
      }
      case 'refused':
        return unlessCaught(node.caught, send[node.way](tx, foreign, 'refused'))
      case 'throw':
        return unlessCaught(node.caught, Promise.reject(new Error('thrown by the work')))
      case 'read':
        await db.read(office(customerId)).note.count()
        if (late) lateAnswers.push('read')
        return
      case 'pause':
        return nextTurn()
      case 'write':
        return unlessCaught(node.caught, write(node.body, frame, late))
      case 'parallel': {
        const branches = node.branches.map((branch) => runAll(branch, tx, frame, late))
        for (const branch of branches) leave(branch)
        await Promise.all(branches)
        return
      }
      case 'left':
        return leave(runAll(node.body, tx, frame, late))
      case 'late':
        return leave(frame.ended.promise.then(() => runAll(node.body, tx, frame, true)))
    }
  }

  const kept = await write(tree).then(
    () => true,
    () => false,
  )
  while (begun.length > 0) await begun.pop()
  const expected = answered.filter(({ frame }) => isKept(frame)).map(({ title }) => title)
  return { kept, expected, lateAnswers }
}

class Refused extends Error {}

/** The model: the expected result of a tree whose steps run one after the other; undefined for a tree with concurrent steps. */
export function sequential(tree: readonly Node[]): { kept: boolean; titles: string[] } | undefined {
  if (!isSequential(tree)) return undefined
  let titles = 0
  const write = (nodes: readonly Node[]): string[] => {
    let failed = false
    const mustHold = () => {
      if (failed) throw new Refused()
    }
    const written: string[] = []
    const run = (node: Node): void => {
      switch (node.kind) {
        case 'insert': {
          const title = `${titles++}`
          mustHold()
          written.push(title)
          return
        }
        case 'refused':
          if (node.way !== 'upsert' && node.way !== 'nested create') failed = true
          throw new Refused()
        case 'write':
          mustHold()
          written.push(...write(node.body))
          return
        case 'read':
          mustHold()
          return
        case 'throw':
          throw new Refused()
      }
    }
    for (const node of nodes) {
      try {
        run(node)
      } catch (error) {
        if (!('caught' in node && node.caught)) throw error
      }
    }
    mustHold()
    return written
  }
  try {
    return { kept: true, titles: write(tree) }
  } catch {
    return { kept: false, titles: [] }
  }
}

const isSequential = (tree: readonly Node[]): boolean =>
  tree.every(
    ({ kind, ...node }) =>
      ['insert', 'refused', 'throw', 'read', 'pause', 'write'].includes(kind) && isSequential('body' in node ? node.body : []),
  )
