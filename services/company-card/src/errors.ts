import { conflict } from '@caseway/kit/errors'

/** An office has one card. */
export const companyCardExists = () => conflict('COMPANY_CARD_EXISTS', 'The office has a company card already.')

export const companyCardState = (message: string) => conflict('COMPANY_CARD_STATE', message)
