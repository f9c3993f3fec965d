/**
 * Turns names into addresses: the system looks up the names in the hosts file, the name servers all
 * others. The system's own look-up blocks a thread for as long as a name server takes, and there
 * are two for it: a few names whose servers are silent would hold up everybody's.
 */
import { lookup, promises } from "node:dns"
import { readFile } from "node:fs/promises"
import { Effect, Exit } from "effect"
import { codeOf, OutboundError } from "./OutboundError.ts"

/** Gives every address of a name, in the order in which they are to be tried. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, OutboundError>

/** The name has no address. */
export const unresolvedError = (host: string, code: string): OutboundError =>
  new OutboundError({ reason: { _tag: "Unresolved", host, code } })

/** Where names come from. */
export interface Sources {
  /**
   * Whether the system is asked for names that no server knows: it completes short ones, which lead
   * to private networks. Where those are refused, there is no need to ask.
   */
  readonly hasPrivateNames: boolean
  /** `address:port` of name servers; the system's when it is left out. */
  readonly servers?: ReadonlyArray<string>
  /** The hosts file. */
  readonly hostsPath?: string
}

const hostsPath =
  process.platform === "win32"
    ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/** Each question is asked twice, about five seconds in all: a check of a URL may take ten. */
const questions = { timeout: 1_500, tries: 2 }

/** Nobody knows the name. */
const absenceCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"])

/** There is no name server here; only the system can answer. */
const noServer = "ECONNREFUSED"

const bySystem: Resolve = (name) =>
  Effect.callback((resume) => {
    lookup(name, { all: true, order: "verbatim" }, (error, found) => {
      resume(
        error === null
          ? Effect.succeed(found.map(({ address }) => address))
          : Effect.fail(unresolvedError(name, codeOf(error)))
      )
    })
  })

/** IPv4 first: where both are offered, it is IPv6 that may lead nowhere. */
const byServers = (name: string, servers: Sources["servers"]) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const resolver = new promises.Resolver(questions)
      if (servers !== undefined) resolver.setServers(servers)
      return resolver
    }),
    (resolver) => {
      const asked = [() => resolver.resolve4(name), () => resolver.resolve6(name)].map((ask) =>
        Effect.result(
          Effect.tryPromise({ try: ask, catch: (cause) => unresolvedError(name, codeOf(cause)) })
        )
      )
      return Effect.all(asked, { concurrency: "unbounded" })
    },
    (resolver, exit) => Effect.sync(() => Exit.isFailure(exit) && resolver.cancel())
  )

const isInHosts = (name: string, path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => text.toLowerCase().split(/\s+/).includes(name)),
    Effect.orElseSucceed(() => false)
  )

/** A resolver over these sources. An interrupted question is not asked again. */
export const resolverOver = (sources: Sources): Resolve =>
  Effect.fnUntraced(function* (name) {
    if (!name.includes(".") || (yield* isInHosts(name, sources.hostsPath ?? hostsPath))) {
      return yield* bySystem(name)
    }
    const answers = yield* byServers(name, sources.servers)
    const addresses = answers.flatMap((answer) => (answer._tag === "Success" ? answer.success : []))
    if (addresses.length > 0) return addresses
    const codes = answers.flatMap((answer) =>
      answer._tag === "Failure" && answer.failure.reason._tag === "Unresolved"
        ? [answer.failure.reason.code]
        : []
    )
    const code = codes.find((code) => !absenceCodes.has(code)) ?? "ENOTFOUND"
    const isForSystem = code === noServer || (sources.hasPrivateNames && absenceCodes.has(code))
    return isForSystem ? yield* bySystem(name) : yield* unresolvedError(name, code)
  })
