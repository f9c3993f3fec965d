/**
 * Provides the real recogniser for tests, from PATH or the user's cache. A missing recogniser is
 * installed in the cache once. On a system without apt, the tests that need a recogniser are
 * skipped.
 */
import { homedir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { install } from "@verbatim/adapters/pocketsphinx"
import { Console, Effect } from "effect"

/** The user's cache folder, which is also the server's default. */
export const cacheDirectory =
  env.VERBATIM_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "verbatim")

/** The recogniser, or undefined on a system without apt. */
export const recogniser = await Effect.runPromise(
  install({ cacheDirectory, report: Console.log }).pipe(
    Effect.catchIf(
      ({ obstacle }) => obstacle === "AptMissing",
      ({ sentence }) => Effect.as(Console.warn(`skipped: ${sentence}`), undefined)
    ),
    Effect.provide(nodeServices)
  )
)
