import type { HttpClient } from '@caseway/testing'
import { otpOf } from '@caseway/testing/one-time-password'
import type { Auth, Person } from './auth.js'

/** The path of the caller's own second factor. */
export const ownPath = { expert: '/user/me/second_factor', client: '/client/me/second_factor' } as const
type Address = keyof typeof ownPath

export interface Begun {
  secret: string
  uri: string
}

export const secondFactors = (auth: () => Auth) => {
  const begin = (http: HttpClient, { password }: Person, address: Address = 'expert', otp?: string) =>
    http.post<{ SecondFactor: Begun }>(ownPath[address], { SecondFactor: { current_password: password, otp } })
  const confirm = (http: HttpClient, otp: string, address: Address = 'expert') =>
    http.put<{ SecondFactor: { recovery_codes: string[] } }>(ownPath[address], { SecondFactor: { otp } })
  return {
    begin,
    confirm,

    /** Sets a second factor up for the caller of `http`. `used` is the code that has confirmed it. */
    async setUp(http: HttpClient, person: Person, address: Address = 'expert') {
      const { secret } = (await begin(http, person, address)).body.SecondFactor
      const used = otpOf(secret)
      const { status, text, body } = await confirm(http, used, address)
      if (status !== 200) throw new Error(`A second factor could not be set up: ${status} ${text}`)
      return { secret, used, codes: body.SecondFactor.recovery_codes }
    },

    /** Makes the last used code one of five minutes before. */
    later: ({ id }: Person) =>
      auth().database.rows('UPDATE second_factors SET last_step = last_step - 10 WHERE user_id = $1', [String(id)]),

    signIn({ username, password }: Person, otp?: string, address: Address = 'expert', headers = {}) {
      const { clientId: client_id, token } = auth()
      return token<{ access_token: string; refresh_token: string; errorCode: string; error: string }>(
        { grant_type: 'password', client_id, username, password, otp },
        address,
        headers,
      )
    },
  }
}
