import type pg from 'pg'
import { statementName } from '../statements/statements.js'
import type { Database, TransactionOf } from '../types.js'
import { type Contexts, requireContext } from './context.js'

/**
 * The client that `work` of a `write` gets: Prisma's client, whose statements find the running transaction by the async context, and raw statements that
 * bypass Prisma. Raw statements of one tick share a packet, and run in the order in which they were sent.
 */
export function transactionClient<Client extends object>(
  contexts: Contexts,
  client: Client,
  $notify: Database<Client>['notify'],
): TransactionOf<Client> {
  const send = (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    const { scope, frame } = requireContext(contexts)
    if (!frame) throw new Error('A statement of a transaction was sent outside of write.')
    return frame.send({ name: statementName(text), text, values }, scope)
  }
  const raw = {
    $notify,
    $queryRaw: async (text: TemplateStringsArray, ...values: unknown[]) => (await send(numbered(text), values)).rows,
    $executeRaw: async (text: TemplateStringsArray, ...values: unknown[]) => (await send(numbered(text), values)).rowCount ?? 0,
    $queryRawUnsafe: async (text: string, ...values: unknown[]) => (await send(text, values)).rows,
    $executeRawUnsafe: async (text: string, ...values: unknown[]) => (await send(text, values)).rowCount ?? 0,
  }
  const get = (_: object, name: string | symbol) => Reflect.get(name in raw ? raw : client, name)
  return new Proxy({}, { get }) as TransactionOf<Client>
}

const texts = new WeakMap<TemplateStringsArray, string>()

/** The text of a template, with `$1`, `$2` … in place of its values. */
function numbered(template: TemplateStringsArray): string {
  const text = texts.get(template) ?? template.reduce((before, part, index) => `${before}$${index}${part}`)
  texts.set(template, text)
  return text
}
