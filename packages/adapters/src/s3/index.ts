/**
 * Media files in a bucket of S3, or of a server that speaks its protocol.
 */
export { layer, type S3MediaStoreOptions } from "./S3MediaStore.ts"
