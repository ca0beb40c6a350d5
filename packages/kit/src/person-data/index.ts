export { erasePerson } from './erase-person.js'
export type { Person, PersonName } from './person.js'
