import { schemaCheck } from '@caseway/kit/fields'
import Type, { type Static } from 'typebox'

const maxBlocks = 200

const text = Type.String({ maxLength: 4_000 })
const asked = { title: Type.String({ minLength: 1, maxLength: 4_000 }), required: Type.Optional(Type.Boolean()) }
const step = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })
const end = Type.Object({ text, value: step })

const Written = Type.Object({ ...asked, value: Type.Optional(text) })
const Chosen = Type.Object({
  ...asked,
  options: Type.Array(Type.Object({ value: text, selected: Type.Optional(Type.Boolean()) }), { minItems: 1, maxItems: 200 }),
})
const Scaled = Type.Object({
  ...asked,
  value: Type.Optional(step),
  line_scale: Type.Tuple([Type.Object({ label_from: end }), Type.Object({ label_to: end })]),
})
const contact = Type.Optional(text)

/** The schemas of the data of a block, by its type. */
const shapes = {
  header: Type.Object({ poll_id: text }),
  shortQuestion: Written,
  longQuestion: Written,
  oneOptionQuestion: Chosen,
  multipleOptionQuestion: Chosen,
  selectQuestion: Chosen,
  lineScaleQuestion: Scaled,
  contact: Type.Object({ email: contact, phone: contact, firstname: contact, lastname: contact, company: contact }),
}

type Shapes = typeof shapes
export type BlockType = keyof Shapes
export type BlockOf<T extends BlockType> = { [Each in T]: { readonly type: Each; readonly data: Static<Shapes[Each]> } }[T]
export type Block = BlockOf<BlockType>
export type Question = BlockOf<Exclude<BlockType, 'header' | 'contact'>>

export const isQuestion = (block: Block): block is Question => block.type !== 'header' && block.type !== 'contact'

/** The schema of blocks, for the documentation. */
export const Blocks = Type.Array(
  Type.Union(Object.entries(shapes).map(([type, data]) => Type.Object({ type: Type.Literal(type), data }))),
  { minItems: 1, maxItems: maxBlocks },
)

const checks = new Map(Object.entries(shapes).map(([type, data]) => [type, schemaCheck(data)]))

/** Why a value is not a block; undefined where it is one. */
export function wrongShape(value: unknown): string | undefined {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  const check = checks.get(type as string)
  if (!check) return `must be an object with a type of ${[...checks.keys()].join(', ')}`
  const wrong = Object.entries(check(data, 'data')).map(([place, text]) => `${place} ${text}`)
  return wrong.length > 0 ? wrong.join('; ') : undefined
}

/** Errors by the index of their block. */
export type Wrong = Readonly<Record<string, string>>

/** The errors of all blocks. @param refuse validates a block with a valid shape: returns the error, or undefined */
export function wrongBlocks(blocks: readonly unknown[], refuse: (block: Block, index: number) => string | undefined): Wrong {
  const texts = blocks.slice(0, maxBlocks).map((block, index) => wrongShape(block) ?? refuse(block as Block, index))
  if (blocks.length > maxBlocks) texts[maxBlocks] = `is one too many: there may be at most ${maxBlocks} blocks`
  return Object.fromEntries(texts.flatMap((text, index) => (text === undefined ? [] : [[index, text]])))
}

/** The lowest and the highest value of a scale. */
export const endsOf = ({ line_scale: [{ label_from }, { label_to }] }: BlockOf<'lineScaleQuestion'>['data']) =>
  [label_from.value, label_to.value] as const

/** Returns a function that tells whether it was called with the same value before. */
export function repetitions<T>(): (value: T) => boolean {
  const seen = new Set<T>()
  return (value) => seen.size === seen.add(value).size
}
