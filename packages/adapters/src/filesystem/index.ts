/** Media files in a folder of the local file system. */
export { type FilesystemMediaStoreOptions, layer, readMarker } from "./FilesystemMediaStore.ts"
export { mustBeWritable } from "./Staging.ts"
