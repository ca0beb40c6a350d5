import { conflict, invalid } from '@caseway/kit/errors'

/** An office can have only one card. */
export const companyCardExists = () => conflict('COMPANY_CARD_EXISTS', 'The office has a company card already.')

export const companyCardState = (message: string) => conflict('COMPANY_CARD_STATE', message)

export const noLogo = (why: string) => invalid({ common_file_id: why })
