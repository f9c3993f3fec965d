/**
 * Media files in a folder of the local file system.
 */
export { type FilesystemMediaStoreOptions, layer } from "./FilesystemMediaStore.ts"
export { read as readMarker } from "./Marker.ts"
export { mustBeWritable } from "./Writable.ts"
