/**
 * Provides the real recogniser, from PATH or from the user's cache. A missing recogniser is
 * installed in the cache. Without apt, the tests that need a recogniser are skipped.
 */
import { homedir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { install } from "@verbatim/adapters/pocketsphinx"
import { Console, Effect } from "effect"

/** The user's cache folder, which the server also uses by default. */
export const cacheDirectory =
  env.VERBATIM_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "verbatim")

/** The recogniser; undefined on a system that has no apt. */
export const recogniser = await Effect.runPromise(
  install({ cacheDirectory, report: Console.log }).pipe(
    Effect.catchIf(
      ({ obstacle }) => obstacle === "AptMissing",
      ({ sentence }) => Effect.as(Console.warn(`skipped: ${sentence}`), undefined)
    ),
    Effect.provide(nodeServices)
  )
)
