export { encodeCursor } from './cursor.js'
export { listParameters, listQueryReader, orderOf } from './list-query.js'
export { type Camel, camel, embeddedName } from './naming.js'
export type {
  CallerOf,
  ChangesOf,
  Cursor,
  EmbeddedReads,
  InputOf,
  ListQuery,
  Page,
  RecordOf,
  ResourceHandlers,
  RowOf,
  ValuesOf,
} from './record.js'
export {
  type Column,
  columnsOf,
  defineResource,
  type Embedded,
  isOfficeNamed,
  type Many,
  many,
  type One,
  one,
  type Resource,
  type Search,
} from './resource.js'
export { object, plainInput, shown, shownEmbedded, wrappedInput } from './shapes.js'
export { type StoredRow, storedList, storedRecord, withStoredRows } from './stored-rows.js'
export { cachedZones, type TimeZones, type Zones } from './zones.js'
