import { type Id, parseId } from '@caseway/kit/caller'
import { wrongShape } from '../blocks/block.js'

/** The widget of an answer. */
export interface AnsweredWidget {
  readonly customerId: Id
  readonly hash: string
}

const pollId = /^([1-9][0-9]{0,15})[-_:/]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The office and the hash of the widget that the header names; undefined where the first block is not a header, or names none. */
export function headerOf([header]: readonly unknown[]): AnsweredWidget | undefined {
  if (wrongShape(header) !== undefined) return undefined
  const { type, data } = header as { type: string; data: { poll_id?: string } }
  const [, office, hash] = (type === 'header' && pollId.exec(data.poll_id ?? '')) || []
  const customerId = parseId(office)
  return customerId !== undefined && hash !== undefined ? { customerId, hash } : undefined
}
