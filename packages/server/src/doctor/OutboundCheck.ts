/**
 * The way out: whether names have addresses, and whether the guard keeps callers out of private
 * networks. Nobody but a name server is asked anything.
 */
import * as Net from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import { MediaFetcher } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { Configuration } from "../Configuration.ts"
import { type Check, failed, ok, warning } from "./Finding.ts"

/** Where most clouds tell a machine its secrets. */
const metadata = "169.254.169.254"

/** A name that is kept for examples, and has addresses (RFC 2606). */
const wellKnown = "example.com"

const isOpened = ({ allowNetworks }: Configuration): boolean =>
  Option.exists(Networks.addressFrom(metadata), (address) =>
    Networks.isWithin(address, allowNetworks)
  )

const guard = (settings: Configuration) =>
  Effect.gen(function* () {
    const what = "outbound guard"
    if (isOpened(settings)) {
      const sentence = `VERBATIM_ALLOW_NETWORKS opens ${metadata}, where clouds keep secrets`
      return warning(what, sentence)
    }
    const fetcher = yield* MediaFetcher
    const outcome = yield* Effect.option(fetcher.check(`http://${metadata}/a.wav`))
    return Option.isNone(outcome)
      ? ok(what, "private addresses are refused")
      : failed(what, `${metadata} was reached: do not let callers in`)
  }).pipe(Effect.provide(Net.layer(settings)))

const names = (settings: Configuration) =>
  Net.Guard.make(settings)
    .resolve(wellKnown)
    .pipe(
      Effect.map(() => ok("names", `name servers answer: ${wellKnown} has an address`)),
      Effect.catch(({ reason }) => {
        const code = reason._tag === "Unresolved" ? ` (${reason.code})` : ""
        const advice = "media by URL and webhooks need them; without such jobs all is well"
        return Effect.succeed(warning("names", `no address for ${wellKnown}${code}: ${advice}`))
      })
    )

/** The way to the outside. */
export const outboundChecks = (settings: Configuration): ReadonlyArray<Check> => [
  { what: "outbound guard", look: Effect.map(guard(settings), (row) => [row]) },
  { what: "names", look: Effect.map(names(settings), (row) => [row]) }
]
