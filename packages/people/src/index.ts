export { type AuthDirectory, authDirectory } from './auth-directory.js'
export { copiedLinks, type Links } from './links.js'
export { copiedOffices, type Offices } from './offices.js'
export { copiedUsers, type Users } from './users.js'
