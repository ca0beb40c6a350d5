export { type AuthorizationAnswer, type AuthorizationRequest, type OauthClient, type OauthServer, oauthClient } from './oauth-client.js'
export { refreshTime, type Tokens } from './tokens.js'
