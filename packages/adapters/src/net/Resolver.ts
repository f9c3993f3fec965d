/**
 * Resolves host names: those in the hosts file through the system, and all others directly through
 * the name servers. The system's lookup blocks one of two threads while it waits, so a few
 * unresponsive name servers would block all requests.
 */
import { lookup, promises } from "node:dns"
import { readFile } from "node:fs/promises"
import { Effect, Exit } from "effect"
import { codeOf, OutboundError } from "./OutboundError.ts"

/** Returns every address of a name, in the order in which to try them. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, OutboundError>

/** Creates the error for a name that does not resolve. */
export const unresolvedError = (host: string, code: string): OutboundError =>
  new OutboundError({ reason: { _tag: "Unresolved", host, code } })

/** The sources that a resolver uses for names. */
export interface Sources {
  /**
   * Whether the system resolves names that no name server knows. Only the system completes short
   * names. Short names lead to private networks, so if these are refused, the system is not needed.
   */
  readonly hasPrivateNames: boolean
  /** The name servers, as `address:port`. Default: the system's. */
  readonly servers?: ReadonlyArray<string>
  /** The path of the hosts file. */
  readonly hostsPath?: string
}

const hostsPath =
  process.platform === "win32"
    ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/**
 * Each query is sent at most twice, within about five seconds, because a URL check is limited to
 * ten seconds.
 */
const queryOptions = { timeout: 1_500, tries: 2 }

/** The resolver's error codes for a name that no server knows. */
const absenceCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"])

/**
 * The resolver's error code on a machine without a name server. Only the system can resolve names
 * on such a machine.
 */
const noServer = "ECONNREFUSED"

const resolveBySystem: Resolve = (name) =>
  Effect.callback((resume) => {
    lookup(name, { all: true, order: "verbatim" }, (error, found) => {
      resume(
        error === null
          ? Effect.succeed(found.map(({ address }) => address))
          : Effect.fail(unresolvedError(name, codeOf(error)))
      )
    })
  })

/**
 * If a host has both kinds of address, IPv4 addresses come first, because IPv6 is more likely to
 * fail.
 */
const resolveByServers = (name: string, servers: Sources["servers"]) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const resolver = new promises.Resolver(queryOptions)
      if (servers !== undefined) resolver.setServers(servers)
      return resolver
    }),
    (resolver) => {
      const queries = [() => resolver.resolve4(name), () => resolver.resolve6(name)].map((query) =>
        Effect.result(
          Effect.tryPromise({ try: query, catch: (cause) => unresolvedError(name, codeOf(cause)) })
        )
      )
      return Effect.all(queries, { concurrency: "unbounded" })
    },
    (resolver, exit) => Effect.sync(() => Exit.isFailure(exit) && resolver.cancel())
  )

const isInHosts = (name: string, path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => text.toLowerCase().split(/\s+/).includes(name)),
    Effect.orElseSucceed(() => false)
  )

/** Creates a resolver. If a caller is interrupted, its queries are cancelled. */
export const resolverOver = (sources: Sources): Resolve =>
  Effect.fnUntraced(function* (name) {
    if (!name.includes(".") || (yield* isInHosts(name, sources.hostsPath ?? hostsPath))) {
      return yield* resolveBySystem(name)
    }
    const answers = yield* resolveByServers(name, sources.servers)
    const addresses = answers.flatMap((answer) => (answer._tag === "Success" ? answer.success : []))
    if (addresses.length > 0) return addresses
    const codes = answers.flatMap((answer) =>
      answer._tag === "Failure" && answer.failure.reason._tag === "Unresolved"
        ? [answer.failure.reason.code]
        : []
    )
    const code = codes.find((code) => !absenceCodes.has(code)) ?? "ENOTFOUND"
    const isForSystem = code === noServer || (sources.hasPrivateNames && absenceCodes.has(code))
    return isForSystem ? yield* resolveBySystem(name) : yield* unresolvedError(name, code)
  })
