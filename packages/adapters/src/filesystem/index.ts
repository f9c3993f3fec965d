/** Stores media files in a folder of the local file system. */
export { type FilesystemMediaStoreOptions, layer, readMarker } from "./FilesystemMediaStore.ts"
export { makeFolders } from "./makeFolders.ts"
export { checkWritable } from "./Staging.ts"
