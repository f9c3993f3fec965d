/** Provides a media fetcher that allows 127.0.0.1, and returns failures as text. */
import { GuardedMediaFetcher, type GuardOptions } from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import { MediaFetcher, type MediaFetcherError } from "@verbatim/core/ports"
import { Duration, Effect, Result, Stream } from "effect"

/** Parses a list of networks. */
export const allow = (text: string): Networks.Networks => Result.getOrThrow(Networks.fromText(text))

/** A guard that allows only a single address. */
export const loopback: GuardOptions = { allowedNetworks: allow("127.0.0.1/32") }

/**
 * The same guard, with a short limit for a response that never comes, and a long limit for
 * connecting.
 */
export const shortTimeouts: GuardOptions = {
  ...loopback,
  limits: { connectTimeout: Duration.minutes(5), checkTimeout: Duration.millis(600) }
}

/** The guard as in production. */
export const closed: GuardOptions = { allowedNetworks: [] }

/**
 * A scripted resolver, which answers each query with the next line of the script, or else with the
 * last one.
 */
export const scripted = (...script: ReadonlyArray<ReadonlyArray<string>>) => {
  const queries: Array<string> = []
  const resolve = (name: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.sync(() => script[Math.min(queries.push(name), script.length) - 1] ?? [])
  return { queries, resolve }
}

/** Checks a URL with the guard. */
export const check = (url: string, options: GuardOptions = loopback) =>
  Effect.flatMap(MediaFetcher, (fetcher) => fetcher.check(url)).pipe(
    Effect.provide(GuardedMediaFetcher.layer(options))
  )

/** Downloads everything that a URL returns. */
export const download = (url: string, options: GuardOptions = loopback) =>
  Effect.flatMap(MediaFetcher, (fetcher) => fetcher.fetch(url)).pipe(
    Effect.flatMap(({ content }) => Stream.runCollect(content)),
    Effect.map((chunks) => Buffer.concat(chunks)),
    Effect.scoped,
    Effect.provide(GuardedMediaFetcher.layer(options))
  )

/** Returns a failure as text: the tag and the detail. */
export const failure = <A>(effect: Effect.Effect<A, MediaFetcherError>): Effect.Effect<string, A> =>
  Effect.map(Effect.flip(effect), ({ reason }) =>
    reason._tag === "Unresolved"
      ? `Unresolved ${reason.host}: ${reason.code}`
      : `Unreachable ${reason.detail}`
  )
