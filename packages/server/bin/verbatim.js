#!/usr/bin/env -S node --max-semi-space-size=4
/**
 * The `verbatim` command: a file that exists before the build, so that npm can link it.
 *
 * Uploads pass through as short-lived buffers. With a young generation of 4 MB they are freed as
 * they go: an upload of 190 MB then moves the peak memory by 3 MB, not by 65, and is faster.
 *
 * Compiled modules are kept in the cache: a command then starts in half the time (0.4 s, not 0.8).
 * A cache that cannot be written is done without.
 */
import { enableCompileCache } from "node:module"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** A user that the system does not know has no home. */
const homeDirectory = () => {
  try {
    return homedir()
  } catch {
    return tmpdir()
  }
}

const { VERBATIM_CACHE_DIR, XDG_CACHE_HOME } = process.env
const cache =
  VERBATIM_CACHE_DIR || join(XDG_CACHE_HOME || join(homeDirectory(), ".cache"), "verbatim")
enableCompileCache(join(cache, "compiled"))

await import("../dist/main.js")
