/**
 * A media file that a process on this machine may read for a while.
 */

/** Where the file is, and what it calls itself. */
export interface LocalMedia {
  /** An absolute path, never shown to a caller. */
  readonly path: string
  /** With its dot, lower case; a hint, not a promise. */
  readonly extension: string
  readonly byteLength: number
}
