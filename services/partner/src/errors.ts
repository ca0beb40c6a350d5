import { AppError, conflict, invalid } from '@caseway/kit/errors'

/** Only the operator can solve it, so `Retry-After` is an hour. */
export const platformNotConfigured = () =>
  new AppError('unavailable', 'PARTNER_NOT_CONFIGURED', 'The accounting platform is not configured.', { retryAfterSeconds: 3600 })

/** The `state` has expired, was used, belongs to another session or office, or is unknown; the error does not tell which. */
export const stateRefused = () => invalid({ state: 'is not valid; ask for a new address of the accounting platform' })

/** The code was issued by another authorization server. */
export const issuerRefused = () => invalid({ iss: 'is not the accounting platform' })

/** A server that publishes its issuer sends `iss` with every code (RFC 9207, 2.4). */
export const issuerMissing = () => invalid({ iss: 'is required' })

export const codeRefused = () => invalid({ auth_code: 'was refused by the accounting platform' })
export const codeUsed = () => invalid({ auth_code: 'was used before, for an integration that has been deleted' })
export const noActiveCompany = () => invalid({ auth_code: 'is of an account without an active company' })

/** An office can have only one integration with a company. */
export const companyIntegrated = () => conflict('COMPANY_INTEGRATED', 'The office has an integration with this company already.')

/** Company and name cannot be changed once they were chosen. */
export const integrationFinal = () =>
  conflict('INTEGRATION_FINAL', 'The company and the name cannot be changed. Delete the integration and create a new one.')

export const integrationBroken = () =>
  conflict('INTEGRATION_BROKEN', 'The accounting platform has ended the access. Delete the integration and create a new one.')

export const webhookLimit = (most: number) => conflict('WEBHOOK_LIMIT', `An office has at most ${most} webhooks.`)

export const webhookUrl = (why: string) => invalid({ url: why })

export const webhookInactive = () => conflict('WEBHOOK_INACTIVE', 'The webhook is switched off.')
