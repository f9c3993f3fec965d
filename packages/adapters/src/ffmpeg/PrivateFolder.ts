/**
 * A folder for one decoding, which only this user can enter. It is gone when the scope closes; what
 * a crash leaves is swept before a later decoding.
 */
import { lstat, mkdir, mkdtemp, opendir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { Reason } from "./FfmpegOutcome.ts"

/** Tells these folders from others in a place that other programs share. */
const prefix = "verbatim-audio-"

/** A slow recogniser takes twice the length of the audio, and the audio is 10 hours at most. */
const staleMillis = 48 * 60 * 60 * 1_000

const remove = (path: string) => rm(path, { recursive: true, force: true })

/** Makes the folder. */
export const make = (directory: string): Effect.Effect<string, Reason, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await mkdir(directory, { mode: 0o700, recursive: true })
        return await mkdtemp(join(directory, prefix))
      },
      catch: (cause): Reason => ({
        _tag: "StorageFailed",
        detail: String(Object(cause).code ?? cause)
      })
    }),
    // A folder that cannot be removed now is swept later.
    (path) => Effect.ignore(Effect.tryPromise(() => remove(path)))
  )

/** Removes folders that nobody can be using. The system stamps them, so its own clock judges. */
export const sweep = (directory: string): Effect.Effect<void> =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      const staleBefore = Date.now() - staleMillis
      for await (const entry of await opendir(directory)) {
        if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue
        const path = join(directory, entry.name)
        // Another decoding may end between these lines.
        const mtimeMs = (await lstat(path).catch(() => undefined))?.mtimeMs ?? staleBefore
        // A folder of another user is left alone: it cannot be removed.
        if (mtimeMs < staleBefore) await remove(path).catch(() => undefined)
      }
    })
  )
