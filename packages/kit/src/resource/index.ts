export { encodeCursor } from './cursor.js'
export { type Field, FieldError, type JsonSchema, type SqlType, type ValueOf } from './field.js'
export {
  choice,
  date,
  email,
  flagText,
  hexColor,
  idInteger,
  idText,
  integerText,
  line,
  nullable,
  paragraph,
  readOnly,
  timestamp,
  writeOnly,
  zone,
} from './fields.js'
export { listParameters, listQueryReader } from './list-query.js'
export { type Camel, camel } from './naming.js'
export type { CallerOf, ChangesOf, Cursor, InputOf, ListQuery, Page, RecordOf, ResourceHandlers, RowOf } from './record.js'
export { type Column, columnsOf, defineResource, type Fields, type Resource } from './resource.js'
export { object, shown, shownBeside, wrappedInput } from './shapes.js'
export { decodeText } from './text.js'
export { cachedZones, type TimeZones, type Zones } from './zones.js'
