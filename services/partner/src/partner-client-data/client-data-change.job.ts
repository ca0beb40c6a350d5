import { AppError, unavailable } from '@caseway/kit/errors'
import { handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { Logger } from '@caseway/kit/observability'
import type { Tx } from '../database.js'
import type { ClientAccounts, ClientCards } from './client-accounts.js'
import type { ClientDataChanges, Outcome, RefusalCode, RequestedChange } from './client-data.js'
import { clientDataChange } from './client-data-change.js'
import type { ClientDataChangeRepository } from './client-data-change.repository.js'
import { emailTakenByClient, refusalCodeOf } from './client-data-errors.js'
import type { EndedChanges } from './ended-changes.js'
import type { SingleSignOn, SsoPerson } from './single-sign-on.js'

interface Parts {
  readonly changes: Pick<ClientDataChangeRepository, 'advance' | 'end'>
  readonly accounts: Pick<ClientAccounts, 'reserve' | 'apply' | 'release'>
  readonly cards: ClientCards
  readonly ended: Pick<EndedChanges, 'any'>
  /** Undefined where none is configured. */
  readonly singleSignOn: SingleSignOn | undefined
  /** Called for each change that has ended. */
  readonly onEnd: (outcome: Outcome) => void
  readonly log: Logger
}

/** The plan of a change, which is fixed with the reservation. */
interface Plan {
  readonly clientId: string
  /** The client's address before the change. */
  readonly email: string
  readonly changes: ClientDataChanges
  /** The person with this address in the single sign-on system; null where there is none, or nothing to change there. */
  readonly person: SsoPerson | null
}

/** The checkpoint of a run, as JSON. Ids are in decimal digits. */
type Step =
  | { readonly step: 'reserved'; readonly plan: Plan }
  | { readonly step: 'applied'; readonly plan: Plan; readonly customerIds: readonly string[] }
  | { readonly step: 'refused'; readonly refusal: RefusalCode }

/** How many changes run concurrently in a process, and how many of these may wait for a reserved address. */
const concurrency = 32
const maxWaiting = 16

/** How long a change waits for an address in one run, in milliseconds. Less than the lease of the job. */
const turnMs = 4_000

const isReserved = (error: unknown) => error instanceof AppError && error.code === 'ADDRESS_RESERVED'

const changesThere = ({ email, firstname, lastname }: ClientDataChanges) => (email ?? firstname ?? lastname) !== undefined

/**
 * The saga of a change. Before anything is changed the address is reserved, so that nothing can be refused after the single sign-on system has
 * taken the change; from its request on the saga only goes on, until that system has said what it did.
 */
export function clientDataChangeJob({ changes, accounts, cards, ended, singleSignOn, onEnd, log }: Parts): JobHandler<unknown> {
  const keep = (run: Run<RequestedChange>, step: Step) =>
    run.checkpoint({ ...step }, (tx) =>
      step.step === 'refused' ? Promise.resolve() : changes.advance(tx as Tx, run.payload.id, step.step),
    )

  const end = async (run: Run<RequestedChange>, outcome: Outcome) => {
    await run.finish((tx) => changes.end(tx as Tx, run.payload.id, outcome))
    onEnd(outcome)
  }

  /** The checkpoint is first, because a run that has lost its lease must not release a reservation that another run uses. */
  const refuse = async (run: Run<RequestedChange>, refusal: RefusalCode) => {
    await keep(run, { step: 'refused', refusal })
    await accounts.release(run.payload.id)
    await end(run, { state: 'refused', refusal })
  }

  /** @throws AppError EMAIL_TAKEN_BY_CLIENT, SSO_UNAVAILABLE */
  const personOf = async (email: string, wanted: ClientDataChanges): Promise<SsoPerson | null> => {
    if (!singleSignOn || !changesThere(wanted)) return null
    const holdersOf = wanted.email === undefined ? [] : singleSignOn.holders(wanted.email)
    const [person, holders] = await Promise.all([singleSignOn.find(email), holdersOf])
    if (holders.some(({ id }) => id !== person?.id)) throw emailTakenByClient()
    return person ?? null
  }

  let waiting = 0
  /** Reserves the address. While another change has it, retries whenever a change has ended. @throws AppError `unavailable` after `turnMs` */
  const reserveInTurn = async ({ payload: { id, externalUserId, changes: wanted }, signal }: Run<RequestedChange>) => {
    const deadline = Date.now() + turnMs
    for (;;) {
      const nextEnd = ended.any(deadline)
      try {
        return await accounts.reserve(id, externalUserId, wanted)
      } catch (error) {
        if (!isReserved(error)) throw error
        if (waiting >= maxWaiting || signal.aborted || Date.now() >= deadline) throw unavailable(error)
      }
      waiting++
      await nextEnd
      waiting--
    }
  }

  const reserve = async (run: Run<RequestedChange>): Promise<Plan | undefined> => {
    const { clientId, email, changes: different } = await reserveInTurn(run)
    if (Object.keys(different).length === 0) return undefined
    return { clientId: String(clientId), email, changes: different, person: await personOf(email, different) }
  }

  /** Makes the change. @returns the offices of the client; undefined where the single sign-on system refuses it */
  const apply = async ({ payload }: Run<RequestedChange>, { person, email, changes: different }: Plan): Promise<string[] | undefined> => {
    const refusal = person && (await singleSignOn?.change(person, email, different))
    if (refusal) return void log.warn({ err: refusal }, 'the single sign-on system refuses a change')
    return (await accounts.apply(payload.id, different, BigInt(payload.applicationId))).map(String)
  }

  const changeCards = async ({ clientId, changes: different }: Plan, customerIds: readonly string[]): Promise<number> => {
    let count = 0
    for (const customerId of customerIds) count += await cards.change(BigInt(customerId), BigInt(clientId), different)
    return count
  }

  /** The code of a refusal. That the single sign-on system is unavailable refuses only in the first run: an earlier one may have changed something there. */
  const refusalIn = (error: unknown, isFirst: boolean): RefusalCode | undefined => {
    const code = refusalCodeOf(error)
    if (code === 'SSO_UNAVAILABLE') log.warn({ err: error }, 'the single sign-on system is unavailable')
    return code === 'SSO_UNAVAILABLE' && !isFirst ? undefined : code
  }

  const work = async (run: Run<RequestedChange>) => {
    let at = run.cursor as Step | null
    const isFirst = at === null
    try {
      if (!at) {
        const plan = await reserve(run)
        if (!plan) return await end(run, { state: 'unchanged' })
        at = { step: 'reserved', plan }
        await keep(run, at)
      }
      if (at.step === 'reserved') {
        const customerIds = await apply(run, at.plan)
        if (!customerIds) return await refuse(run, 'SSO_UNAVAILABLE')
        at = { step: 'applied', plan: at.plan, customerIds }
        // Without a person in the single sign-on system, a repetition of this step would change nothing.
        if (at.plan.person) await keep(run, at)
      }
    } catch (error) {
      const refusal = refusalIn(error, isFirst)
      if (!refusal) throw error
      return refuse(run, refusal)
    }
    if (at.step === 'refused') return refuse(run, at.refusal)
    const updatedInitiators = await changeCards(at.plan, at.customerIds)
    await end(run, { state: 'changed', userClientId: BigInt(at.plan.clientId), updatedInitiators })
  }

  return handleJob(clientDataChange, work, { concurrency })
}
