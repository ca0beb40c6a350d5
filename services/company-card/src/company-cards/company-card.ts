import { randomBytes } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { companyCardState } from '../errors.js'

/** The right to change the card of the office. */
export const manageRight = 'company_card.manage'

export const statuses = { draft: 0, waiting: 1, published: 2, changesRequested: 3 } as const
export type Status = (typeof statuses)[keyof typeof statuses]

const { draft, waiting, published, changesRequested } = statuses

/** The moves of a card: for each, the next status by each status in which it is allowed. */
const moves = {
  change: { [draft]: draft, [waiting]: waiting, [published]: waiting, [changesRequested]: changesRequested },
  submit: { [draft]: waiting, [changesRequested]: waiting },
  approve: { [waiting]: published },
  requestChanges: { [waiting]: changesRequested },
} satisfies Record<string, Partial<Record<Status, Status>>>

export type Move = keyof typeof moves

const words = ['a draft', 'waiting for approval', 'published', 'waiting for the changes that were requested'] as const

/** The status after a move. @throws AppError COMPANY_CARD_STATE */
export function statusAfter(move: Move, from: Status): Status {
  const to = (moves[move] as Partial<Record<Status, Status>>)[from]
  if (to === undefined) throw companyCardState(`The card is ${words[from]}, which does not allow this.`)
  return to
}

/** A new hash, which identifies a card in its public address and cannot be guessed: 128 random bits. */
export const newHash = (): string => randomBytes(16).toString('hex')

/** The slug of a city: `Łódź` becomes `lodz`, and `McAllen` stays one word. */
export const slugOf = (city: string): string => slugify(city, { decamelize: false })
