export { type Embeddable, type Embedded, isMany, type Many, many, type Nested, type One, type Only, one, only } from './beside.js'
export { encodeCursor } from './cursor.js'
export { listParameters, listQueryReader, orderOf } from './list-query.js'
export { type Camel, camel, embeddedName } from './naming.js'
export { byId, type PageById, pageOf, readPage } from './page-by-id.js'
export type {
  CallerOf,
  ChangesOf,
  Cursor,
  EmbeddedReads,
  InputOf,
  ListQuery,
  ObjectBeside,
  Page,
  RecordOf,
  ResourceHandlers,
  RowOf,
  ValuesOf,
} from './record.js'
export {
  type Column,
  columnBeside,
  columnsOf,
  columnsWithin,
  defineResource,
  isOfficeNamed,
  listPathOf,
  type Resource,
  type Search,
} from './resource.js'
export { object, plainInput, shown, shownEmbeddable, shownEmbedded, wrappedInput } from './shapes.js'
export {
  type StoredBeside,
  type StoredList,
  type StoredPage,
  type StoredRow,
  storedList,
  storedObjects,
  storedRecord,
  withStoredObjects,
  withStoredRows,
} from './stored-rows.js'
export { cachedZones, type TimeZones, type Zones } from './zones.js'
