/**
 * Whether a folder of media takes content now: the disk may be full, the folder read-only or gone.
 */
import type { MediaStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"
import * as Staging from "./Staging.ts"
import { attempt } from "./Staging.ts"

/** Fills a block of the disk, the least that a file takes. */
const sample = new Uint8Array(4_096)

/** Writes a little where new content is written, and removes it. Nothing waits for the disk. */
export const mustBeWritable = (directory: string): Effect.Effect<void, MediaStoreError> =>
  Effect.flatMap(Staging.file(directory), ({ handle }) =>
    attempt("put", () => handle.writeFile(sample))
  ).pipe(Effect.scoped)
