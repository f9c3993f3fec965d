/**
 * The media fetcher as the tests ask it: against 127.0.0.1, and with failures put into words.
 */
import { GuardedMediaFetcher, type GuardOptions } from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import { MediaFetcher, type MediaFetcherError } from "@verbatim/core/ports"
import { Duration, Effect, Result, Stream } from "effect"

/** Networks from their text. */
export const allow = (text: string): Networks.Networks => Result.getOrThrow(Networks.fromText(text))

/** A guard that allows one address, and nothing else. */
export const loopback: GuardOptions = { allowNetworks: allow("127.0.0.1/32") }

/** The same with little time for an answer that never comes, and much for a connection. */
export const hurried: GuardOptions = {
  ...loopback,
  limits: { connectTimeout: Duration.minutes(5), checkTimeout: Duration.millis(600) }
}

/** The guard of production. */
export const closed: GuardOptions = { allowNetworks: [] }

/** A resolver that answers from a script, one line for each question, the last one for the rest. */
export const scripted = (...script: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve = (name: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.sync(() => script[Math.min(asked.push(name), script.length) - 1] ?? [])
  return { asked, resolve }
}

/** Checks the URL. */
export const check = (url: string, options: GuardOptions = loopback) =>
  Effect.flatMap(MediaFetcher, (fetcher) => fetcher.check(url)).pipe(
    Effect.provide(GuardedMediaFetcher.layer(options))
  )

/** The whole content behind the URL. */
export const download = (url: string, options: GuardOptions = loopback) =>
  Effect.flatMap(MediaFetcher, (fetcher) => fetcher.fetch(url)).pipe(
    Effect.flatMap(({ content }) => Stream.runCollect(content)),
    Effect.map((chunks) => Buffer.concat(chunks)),
    Effect.scoped,
    Effect.provide(GuardedMediaFetcher.layer(options))
  )

/** The failure in words: its tag and its detail. */
export const failure = <A>(effect: Effect.Effect<A, MediaFetcherError>): Effect.Effect<string, A> =>
  Effect.map(Effect.flip(effect), ({ reason }) =>
    reason._tag === "Unresolved"
      ? `Unresolved ${reason.host}: ${reason.code}`
      : `Unreachable ${reason.detail}`
  )
