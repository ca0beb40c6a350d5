/** An OAuth 2.0 provider that gives access to mailboxes, with the credentials of this installation as its client. */
export interface OauthProvider {
  readonly name: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** The revocation endpoint (RFC 7009). */
  readonly revocationUrl?: string | undefined
  /** Separated by spaces. */
  readonly scope: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authentication: 'basic' | 'post'
  /** The mail servers to which its tokens may be sent. */
  readonly hosts: readonly string[]
}

export type ProviderPlace = Omit<OauthProvider, 'clientId' | 'clientSecret'>

/** Google: XOAUTH2 for Gmail. It issues a refresh token only with `access_type=offline`, and each time only after consent. */
export const google: ProviderPlace = {
  name: 'google',
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revocationUrl: 'https://oauth2.googleapis.com/revoke',
  scope: 'https://mail.google.com/',
  authentication: 'post',
  hosts: ['imap.gmail.com', 'pop.gmail.com', 'smtp.gmail.com'],
}

const microsoftScopes = ['IMAP.AccessAsUser.All', 'POP.AccessAsUser.All', 'SMTP.Send'].map((name) => `https://outlook.office.com/${name}`)

/** Microsoft 365 and Outlook.com. It has no revocation endpoint. */
export const microsoft: ProviderPlace = {
  name: 'microsoft',
  authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  scope: ['offline_access', ...microsoftScopes].join(' '),
  authentication: 'post',
  hosts: [
    ...['outlook.office365.com', 'smtp.office365.com'],
    ...['imap-mail.outlook.com', 'pop-mail.outlook.com', 'smtp-mail.outlook.com', 'outlook.office.com'],
  ],
}
