import type { Texts } from './texts.js'

const from = (office: string) => office || 'Caseway'

export const en: Texts = {
  password_reset: (office) => ({
    subject: 'Set a new password',
    before: [
      `A new password was requested for your account at ${from(office)}.`,
      'The link works once, within one hour. When the password is set, you are signed out everywhere.',
    ],
    link: 'Set a new password',
    after: ['If you did not request it, ignore this mail: your password stays as it is.'],
  }),
  invitation: (office) => ({
    subject: `Invitation from ${from(office)}`,
    before: [
      `${from(office)} has opened an account for this address.`,
      'Set your password to sign in. The link works once, within seven days.',
    ],
    link: 'Set your password',
    after: ['If you do not know the sender, ignore this mail: nobody can sign in with the account.'],
  }),
  office_invitation: (office) => ({
    subject: `Invitation from ${from(office)}`,
    before: [
      `${from(office)} would like to work with you.`,
      'Sign in with your account and accept the invitation. Only then does the office see your data.',
    ],
    link: 'Sign in',
    after: ['If you do not know the sender, ignore this mail.'],
  }),
  email_confirmation: (office) => ({
    subject: 'Confirm this address',
    before: [
      `This address is to become the one with which you sign in at ${from(office)}.`,
      'The link works once, within 24 hours. When the address is confirmed, you are signed out everywhere.',
    ],
    link: 'Confirm the address',
    after: ['If you did not request it, ignore this mail: nothing changes.'],
  }),
  email_changed: (office) => ({
    subject: 'You sign in with another address now',
    before: [`Your account at ${from(office)} has another address now. You cannot sign in with this one any more.`],
    link: 'Sign in',
    after: ['If this was not you, tell your office at once.'],
  }),
}
