/** The API as hosts call it: as a function of `Request`, or as a handler of Node. */
export { type Mounted, type MountOptions, mount } from "./Mounted.ts"
export { type Fetch, toFetch } from "./toFetch.ts"
export { type Handler, toHandler } from "./toHandler.ts"
