import { invalid } from '@caseway/kit/errors'

export const wrongCurrentPassword = () => invalid({ current_password: 'is incorrect' })
export const samePassword = () => invalid({ password: 'must not be the present one' })
export const noCurrentPassword = () => invalid({ current_password: 'is required' })
