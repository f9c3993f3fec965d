#!/usr/bin/env -S node --min-semi-space-size=16 --max-semi-space-size=16
/**
 * Starts the `verbatim` command. This file exists before the build, so that npm can link it. Old
 * versions of Node must be able to parse it, so it imports only names that every version has.
 *
 * With a young generation of 16 MB, the short-lived buffers of an upload are freed early. A 190 MB
 * upload is faster, and raises peak memory by 1 MB instead of 65 MB.
 *
 * Compiled modules are cached. Without a writable cache, the program only starts slower.
 */
import { readFileSync } from "node:fs"
import * as module from "node:module"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const needed = manifest.engines.node.replace(">=", "")

const isOlder = (version, other) => {
  const [major, minor] = version.split(".").map(Number)
  const [otherMajor, otherMinor] = other.split(".").map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

/** Returns the home directory. `homedir` fails for a user that the system does not know. */
const homeDirectory = () => {
  try {
    return homedir()
  } catch {
    return tmpdir()
  }
}

/** Hides Node 22's warning that its SQLite is experimental, which would interrupt our log. */
const hideExperimentalWarnings = () => {
  const { emitWarning } = process
  process.emitWarning = (warning, ...others) => {
    if (others[0] !== "ExperimentalWarning") emitWarning.call(process, warning, ...others)
  }
}

const start = () => {
  hideExperimentalWarnings()
  const { VERBATIM_CACHE_DIR, XDG_CACHE_HOME } = process.env
  const cache =
    VERBATIM_CACHE_DIR || join(XDG_CACHE_HOME || join(homeDirectory(), ".cache"), "verbatim")
  module.enableCompileCache(join(cache, "compiled"))
  return import("../dist/main.js")
}

if (isOlder(process.versions.node, needed)) {
  console.error(`Verbatim needs Node ${needed} or later; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  await start()
}
