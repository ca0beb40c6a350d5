import type { Id } from '@caseway/kit/caller'
import { idText, paragraph } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField, atLeastOne } from '../options.js'
import { orProblem } from '../problem.js'
import { type Cards, openCards, using } from '../services.js'
import { counted, table } from '../table.js'

interface Reviewed {
  card: Id
  version: number
}

type Waiting = Awaited<ReturnType<Cards['administration']['reviews']['waiting']>>

export function cardCommands(program: Command, io: Io): void {
  const group = program.command('card').description('company cards, which are public once they have been approved')
  const list = group.command('list').description('list the cards that wait for approval; --json shows all of their fields')
  const approve = reviewOf(group.command('approve').description('publish a card, unless it has changed since the reviewed version'))
  const requestChanges = reviewOf(
    group.command('request-changes').description('return a card to its office, with a description of the changes that are needed'),
  ).requiredOption('--details <text>', 'the needed changes, shown to the office', asField(paragraph({ max: 2000 })))

  answering(list, io, async () => {
    const cards = await using(openCards(io.env), ({ administration }) => administration.reviews.waiting())
    return { json: { cards: cards.map(onTheWire) }, text: listed(cards) }
  })

  answering<Reviewed>(approve, io, async ({ card, version }) => {
    await using(openCards(io.env), ({ administration }) => orProblem(administration.reviews.approve(card, version), noCard(card)))
    return { json: { id: String(card), status: 2 }, text: `Card ${card} is published.` }
  })

  answering<Reviewed & { details: string }>(requestChanges, io, async ({ card, version, details }) => {
    await using(openCards(io.env), ({ administration }) =>
      orProblem(administration.reviews.requestChanges(card, version, details), noCard(card)),
    )
    return { json: { id: String(card), status: 3 }, text: `The office of card ${card} sees which changes are needed.` }
  })
}

const noCard = (id: Id) => `There is no card ${id}.`

const reviewOf = (command: Command) =>
  command
    .requiredOption('--card <id>', 'the card', asField(idText))
    .requiredOption('--version <number>', 'the reviewed version, as shown by card list', atLeastOne)

const onTheWire = ({ id, customerId, modified, created, ...card }: Waiting[number]) => ({
  ...{ id: String(id), customer_id: String(customerId) },
  ...{ name: card.name, short_description: card.shortDescription, description: card.description },
  ...{ phone: card.phone, email: card.email, url: card.url, street: card.street, zip: card.zip, city: card.city },
  ...{ voivodeship: card.voivodeship, opening_hours: card.openingHours, contact_method: card.contactMethod },
  ...{ scope_of_service: card.scopeOfService, logo_filename: card.logoFilename, is_verified: Number(card.isVerified) },
  ...{ version: card.version, created: created.toISOString(), modified: modified.toISOString() },
})

function listed(cards: Waiting): string {
  if (cards.length === 0) return 'No card waits for approval.'
  const rows = cards.map(({ id, version, customerId, modified, name, city }) => {
    return [String(id), String(version), String(customerId), modified.toISOString(), name, city]
  })
  return `${table(['CARD', 'VERSION', 'OFFICE', 'SINCE', 'NAME', 'CITY'], rows)}\n\n${counted(cards.length, 'card')}.`
}
