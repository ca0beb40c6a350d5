import type { Client, Employee, Id } from '@caseway/kit/caller'
import { type BatchStatement, office, resourceReads } from '@caseway/kit/database'
import { nonexistent, requireVersion } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { differing } from '../issues/issue.js'
import { namedIssueErrors, type OwnIssues, ofNamedIssue } from '../issues/named-issue.js'
import type { Fact } from '../notifications/notification.js'
import { type CaseOfOffers, changed, chosenFact, clientError, clientOf } from './payment-offer.js'
import {
  clientPaymentOfferResource,
  type NewClientPaymentOffer,
  type NewPaymentOffer,
  type PaymentOfferChanges,
  paymentOfferResource,
} from './payment-offer.resource.js'

/** Writes offers while their case is locked; the case is published afterwards, unless undefined is returned. */
type WriteInCase = (issue: CaseOfOffers, tx: Tx) => Promise<object | undefined>

/** The part of the cases module that offers use. */
export interface CasesOfOffers {
  some(caller: Employee, ids: readonly Id[]): Promise<readonly (Pick<CaseOfOffers, 'userClientId'> & { readonly id: Id })[]>
  readonly own: OwnIssues
  change(caller: Employee, id: Id, write: WriteInCase): Promise<void>
  /** @throws AppError `forbidden` after the link of the client has ended, `not-found` if the client does not see the case */
  changeOwn(client: Client, id: Id, write: WriteInCase): Promise<void>
  /** For a case of which the client may only see an offer. @throws AppError as `changeOwn` */
  changeOffered(client: Client, customerId: Id, id: Id, write: WriteInCase): Promise<void>
}

const nothing = {}

export const paymentOfferRepository = (db: Db, issues: CasesOfOffers, notify: (fact: Fact) => BatchStatement) => {
  const reads = resourceReads(db, paymentOfferResource)
  const own = resourceReads(db, clientPaymentOfferResource)

  const insert = async (tx: Tx, { customerId }: CaseOfOffers, userClientId: Id, offer: NewClientPaymentOffer) => {
    const { id } = await tx.issuePaymentOffer.create({ data: { ...offer, customerId, userClientId } })
    return id
  }

  return {
    ...reads,
    own: { ...own, fieldErrors: (client: Client, sent: Partial<NewClientPaymentOffer>) => namedIssueErrors(issues.own, client, sent) },

    async fieldErrors(caller: Employee, { issueId, userClientId }: Partial<NewPaymentOffer>) {
      if (issueId === undefined) return {}
      const [issue] = await issues.some(caller, [issueId])
      return issue ? clientError(issue, userClientId) : nonexistent(['issue_id'])
    },

    async create(caller: Employee, { userClientId, ...offer }: NewPaymentOffer): Promise<Id> {
      let id = 0n
      const write: WriteInCase = async (issue, tx) => {
        id = await insert(tx, issue, clientOf(issue, userClientId), offer)
        return nothing
      }
      await ofNamedIssue(issues.change(caller, offer.issueId, write))
      return id
    },

    async createOwn(client: Client, offer: NewClientPaymentOffer): Promise<Id> {
      let id = 0n
      const write: WriteInCase = async (issue, tx) => {
        id = await insert(tx, issue, client.userId, offer)
        return nothing
      }
      await ofNamedIssue(issues.changeOwn(client, offer.issueId, write))
      return id
    },

    async change(caller: Employee, id: Id, changes: PaymentOfferChanges, expected?: number): Promise<void> {
      const { issueId } = await reads.get(caller, id)
      await issues.change(caller, issueId, async ({ customerId }, tx) => {
        const offer = await reads.lock(tx, caller, id, expected)
        const data = differing(offer, changed(offer, changes))
        if (!data) return undefined
        await tx.issuePaymentOffer.update({ where: { id, customerId }, data })
        return nothing
      })
    },

    /**
     * Chooses an offer, with its case locked: of concurrent choices the last one wins. A unique index allows one chosen offer per case.
     * @throws AppError `not-found`, `stale`
     */
    async choose(client: Client, id: Id, expected?: number): Promise<void> {
      const { issueId, customerId } = await own.get(client, id)
      await issues.changeOffered(client, customerId, issueId, async (issue, tx) => {
        const offers = { customerId, issueId }
        const offer = await tx.issuePaymentOffer.findFirstOrThrow({ where: { ...offers, id } })
        requireVersion(offer, expected)
        if (offer.isChosen) return undefined
        await tx.issuePaymentOffer.updateMany({ where: { ...offers, isChosen: true }, data: { isChosen: false } })
        const chosen = await tx.issuePaymentOffer.update({ where: { ...offers, id }, data: { isChosen: true } })
        const fact = chosenFact(issue, chosen)
        if (fact.notices.length > 0) await db.batch(office(customerId), notify(fact))
        return nothing
      })
    },
  }
}

export type PaymentOfferRepository = ReturnType<typeof paymentOfferRepository>
