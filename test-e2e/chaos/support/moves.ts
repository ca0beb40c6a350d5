import type { HttpClient } from '@caseway/testing'
import type { Random } from './random.js'

/** A person who makes moves. Nobody assigns anything to themselves, so that every assignment must notify its new owner. */
export interface Mover {
  readonly kind: 'employee' | 'client'
  readonly api: HttpClient
  /** Ids of their colleagues; empty for a client. */
  readonly others: readonly string[]
}

/** Ids of existing records, by kind. Some were removed, and moves of them are refused. */
export interface Board {
  readonly office: string
  readonly clients: readonly string[]
  readonly issue: string[]
  readonly issue_sentence: string[]
  readonly issue_payment_offer: string[]
  readonly work_time: string[]
  readonly group: string[]
}

type Thing = Exclude<keyof Board, 'office' | 'clients'>

/** A request; the id of a record that it creates is added to the board. */
export interface Move {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly creates?: Thing
}

interface Choice {
  readonly random: Random
  readonly board: Board
  readonly mover: Mover
}

/** One of the newest records, so that callers meet at the same ones. */
const recent = ({ random, board }: Choice, thing: Thing) => random.oneOf(board[thing].slice(-12)) ?? '1'

const post = (path: Thing, wrapper: string, fields: object): Move => ({
  method: 'POST',
  path: `/${path}`,
  body: { [wrapper]: fields },
  creates: path,
})
const put = (path: string, wrapper: string, fields: object): Move => ({ method: 'PUT', path: `/${path}`, body: { [wrapper]: fields } })

const openCase = ({ random, board, mover }: Choice) =>
  post('issue', 'Issue', {
    subject: 'A question',
    user_id: random.oneOf([null, ...mover.others]),
    user_client_id: random.oneOf(board.clients),
    group_id: random.below(4) === 0 ? random.oneOf(board.group) : null,
  })

const changeCase = (choice: Choice) => {
  const { random, mover, board } = choice
  const change = random.oneOf([
    { status: random.oneOf(['open', 'open', 'pending', 'closed', 'rejected', 'new']) },
    { user_id: random.oneOf([null, ...mover.others]) },
    { delegated_user_id: random.oneOf([null, ...mover.others]) },
    { group_id: random.oneOf([null, ...board.group.slice(-3)]) },
    { subject: 'Another question' },
  ])
  return put(`issue/${recent(choice, 'issue')}`, 'Issue', change ?? {})
}

const write = (choice: Choice) =>
  post('issue_sentence', 'IssueSentence', {
    issue_id: recent(choice, 'issue'),
    body: 'Dear client',
    status: choice.random.oneOf(['draft', 'sent', 'sent', 'sent']),
  })

const review = (choice: Choice) => {
  const change = choice.random.oneOf([
    { status: 'sent' },
    { status: 'sent' },
    { status: 'sent', body: `Dear client ${choice.random.below(100)}` },
    { status: 'rejected', reject_reason: 'Too short' },
  ])
  return put(`issue_sentence/${recent(choice, 'issue_sentence')}`, 'IssueSentence', change ?? {})
}

const offer = (choice: Choice) =>
  post('issue_payment_offer', 'IssuePaymentOffer', { issue_id: recent(choice, 'issue'), amount: `${choice.random.below(1000)}.50` })

const comment = (choice: Choice): Move => {
  const fields = {
    body: 'Look',
    ...(choice.random.below(3) ? { issue_id: recent(choice, 'issue') } : { group_id: recent(choice, 'group') }),
  }
  return { method: 'POST', path: '/comment', body: { Comment: fields } }
}

const work = (choice: Choice): Move => {
  if (choice.random.below(2)) return { method: 'POST', path: '/work_time/stop' }
  const WorkTime = { issue_id: recent(choice, 'issue') }
  return { method: 'POST', path: '/work_time/start', body: { WorkTime }, creates: 'work_time' }
}

const joinGroup = (choice: Choice): Move => {
  const UserGroup = { user_id: choice.random.oneOf(choice.mover.others), group_id: recent(choice, 'group') }
  return { method: 'POST', path: '/group/user_group', body: { UserGroup } }
}

const remove =
  (thing: Thing) =>
  (choice: Choice): Move => ({ method: 'DELETE', path: `/${thing}/${recent(choice, thing)}` })

const seeAll = (): Move => ({ method: 'PUT', path: '/notification' })

const ask = (choice: Choice) => post('issue_sentence', 'IssueSentence', { issue_id: recent(choice, 'issue'), body: 'When?' })
const askAnew = ({ board }: Choice) => post('issue', 'Issue', { subject: 'A question', customer_id: board.office })
const choose = (choice: Choice) =>
  put(`issue_payment_offer/${recent(choice, 'issue_payment_offer')}`, 'IssuePaymentOffer', { is_chosen: 1 })

type Kind = (choice: Choice) => Move

/** The moves of each kind of person, with their weights. */
const habits: Record<Mover['kind'], readonly (readonly [number, Kind])[]> = {
  employee: [
    [20, openCase],
    [30, changeCase],
    [20, write],
    [20, review],
    [8, offer],
    [8, comment],
    [8, work],
    [3, () => post('group', 'Group', { name: 'Accounts' })],
    [4, joinGroup],
    [3, seeAll],
    [2, remove('issue')],
    [2, remove('issue_sentence')],
    [1, remove('work_time')],
    [1, remove('group')],
  ],
  client: [
    [30, ask],
    [20, choose],
    [5, askAnew],
    [5, offer],
  ],
}

export function nextMove(choice: Choice): Move {
  const kinds = habits[choice.mover.kind]
  let left = choice.random.below(kinds.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, kind] of kinds) {
    if (left < weight) return kind(choice)
    left -= weight
  }
  return openCase(choice)
}
