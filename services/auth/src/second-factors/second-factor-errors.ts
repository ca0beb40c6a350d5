import { conflict, invalid } from '@caseway/kit/errors'

export const noOtp = () => invalid({ otp: 'is required' })
export const wrongOtp = () => invalid({ otp: 'is incorrect' })

export const notBegun = () => conflict('SECOND_FACTOR_NOT_BEGUN', 'No second factor is being set up.')
export const demanded = () => conflict('SECOND_FACTOR_DEMANDED', 'The office demands a second factor.')
