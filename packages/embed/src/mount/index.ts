/** The API for hosts: as a function of `Request`, or as a handler for Node. */
export { type Fetch, type Mounted, type MountOptions, mount, toFetch } from "./Mounted.ts"
export { type Handler, toHandler } from "./toHandler.ts"
