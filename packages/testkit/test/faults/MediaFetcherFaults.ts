/** Fetchers with faults. */
import * as Net from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import { MediaFetcher } from "@verbatim/core/ports"
import { Effect, Layer, Option, Result, Stream } from "effect"
import type { MediaHosts } from "#src/contracts/cases/MediaFetcherCases"
import * as LocalMediaHosts from "#src/servers/LocalMediaHosts"
import { listFaults } from "./Fault.ts"

type Ports = MediaFetcher | MediaHosts
type Service = MediaFetcher["Service"]

const allowNetworks = Result.getOrThrow(Networks.fromText("127.0.0.0/8"))

const soundMediaFetcher: Layer.Layer<Ports> = Layer.merge(
  Net.GuardedMediaFetcher.layer({ allowNetworks }),
  LocalMediaHosts.layer
)

const fetching = (change: (service: Service) => Partial<Service>): Layer.Layer<Ports> =>
  Layer.effect(
    MediaFetcher,
    Effect.map(MediaFetcher, (service) => ({ ...service, ...change(service) }))
  ).pipe(Layer.provideMerge(soundMediaFetcher))

type Fetched = ReturnType<Service["fetch"]>
type Content = Effect.Success<Fetched>["content"]

/** The fetcher with other content; `again` fetches a second time. */
const reading = (change: (content: Content, again: Fetched) => Content): Layer.Layer<Ports> =>
  fetching(({ fetch }) => ({
    fetch: (url) =>
      Effect.map(fetch(url), ({ content, ...remote }) => ({
        ...remote,
        content: change(content, fetch(url))
      }))
  }))

const nothing = {
  hops: [],
  filename: Option.none(),
  contentType: Option.none(),
  byteLength: Option.none()
}

export const mediaFetcherFaults = listFaults<Ports>({
  // Forgets what the headers say when it fetches.
  "tells what the headers say, whether it checks or fetches": fetching(({ fetch }) => ({
    fetch: (url) => Effect.map(fetch(url), (remote) => ({ ...remote, ...nothing }))
  })),
  // Forgets where a redirect led.
  "follows a redirect, and tells where it led": fetching(({ check }) => ({
    check: (url) => Effect.map(check(url), (remote) => ({ ...remote, hops: [] }))
  })),
  // Asks before it fetches.
  "gives the content byte for byte, by one request": fetching(({ check, fetch }) => ({
    fetch: (url) => Effect.andThen(check(url), fetch(url))
  })),
  // Takes an error for media without content.
  "takes nothing but 2xx for an answer": fetching(({ check }) => ({
    check: (url) =>
      Effect.catch(check(url), (error) =>
        error.reason._tag === "Unreachable" ? Effect.succeed(nothing) : Effect.fail(error)
      )
  })),
  // Takes what was cut for the whole.
  "fails when the content ends short of its length": reading((content) =>
    Stream.catch(content, () => Stream.empty)
  ),
  // Waits for a silent host longer than its limit.
  "ends a check within 10 seconds when the host says nothing": fetching(({ check }) => ({
    check: (url) => Effect.tapError(check(url), () => Effect.sleep("1 minute"))
  })),
  // Keeps reading when nobody wants more.
  "leaves no connection behind, read to its end or not": reading((content, again) =>
    Stream.unwrap(
      Effect.as(
        Effect.forkDetach(
          Effect.scoped(Effect.flatMap(again, ({ content }) => Stream.runDrain(content)))
        ),
        content
      )
    )
  )
})
