export { blobStoreOf } from './blob-store-of.js'
export { s3Rule, s3SettingsOf, s3Variables } from './s3-variables.js'
