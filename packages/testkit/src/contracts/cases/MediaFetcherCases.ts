/**
 * Contract cases for `MediaFetcher`. The adapter's test starts the servers from which media is
 * fetched.
 */
import { MediaFetcher, type MediaFetcherError } from "@verbatim/core/ports"
import { Context, Duration, Effect, Fiber, Option, type Scope, Stream } from "effect"
import { atOnce, type Cases, type Contract, endsWithin, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** How a host responds to every request. */
export type Hosting =
  | {
      readonly _tag: "Serves"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly content: Uint8Array
      /** After this many bytes of content, the host closes the connection. */
      readonly cutAfter?: number
    }
  /** The host reads the request and does not respond. */
  | { readonly _tag: "SaysNothing" }
  /**
   * The host sends response headers, and then an endless stream of chunks, one every 10
   * milliseconds.
   */
  | { readonly _tag: "NeverEnds" }

/** A host that runs until the scope closes. */
export interface OpenHost {
  /** The origin, in the form `http://<host>:<port>`. */
  readonly origin: string
  /** Number of requests received so far. */
  readonly requestCount: Effect.Effect<number>
  readonly connected: Effect.Effect<number>
}

/** Opens the test's hosts at addresses that the fetcher under test can reach. */
export class MediaHosts extends Context.Service<
  MediaHosts,
  { readonly open: (hosting: Hosting) => Effect.Effect<OpenHost, never, Scope.Scope> }
>()("@verbatim/testkit/contracts/MediaHosts") {}

type Ports = MediaFetcher | MediaHosts

const open = (hosting: Hosting) => MediaHosts.use((hosts) => hosts.open(hosting))

const content = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31) % 256)

const makeHosting = (overrides: Partial<Extract<Hosting, { _tag: "Serves" }>> = {}): Hosting => ({
  _tag: "Serves",
  status: 200,
  headers: { "content-type": "audio/mpeg", "content-length": `${content.length}` },
  content,
  ...overrides
})

const check = (url: string) => MediaFetcher.use((fetcher) => fetcher.check(url))

/** Fetches the whole content of a URL. */
const fetchUrl = (url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fetcher = yield* MediaFetcher
      const { content, ...remote } = yield* fetcher.fetch(url)
      const pieces = yield* Stream.runCollect(content)
      return { remote, bytes: Uint8Array.from(pieces.flatMap((piece) => [...piece])) }
    })
  )

const reasonOf = <A, R>(effect: Effect.Effect<A, MediaFetcherError, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

/** The port's time limit for a check, plus a second. */
const checkMax = Duration.seconds(11)

/**
 * Repeats a check until it succeeds, for at most a minute: a busy machine closes connections
 * slowly.
 */
const soon = Effect.fnUntraced(function* (holds: Effect.Effect<boolean>) {
  for (let looks = 0; looks < 6_000; looks += 1) {
    if (yield* holds) return true
    yield* Effect.sleep("10 millis")
  }
  return false
})

const cases: Cases<Ports> = listCases(MediaFetcher, {
  *"returns the response header values from both `check` and `fetch`"() {
    const host = yield* open(
      makeHosting({
        headers: {
          "content-type": "Audio/MPEG; charset=x",
          "content-length": `${content.length}`,
          "content-disposition": 'attachment; filename="talk.mp3"'
        }
      })
    )
    const expected = {
      hops: [],
      filename: Option.some("talk.mp3"),
      contentType: Option.some("audio/mpeg"),
      byteLength: Option.some(content.length)
    }
    yield* Expect.that("a check returns them", yield* check(host.origin)).is(expected)
    const { remote } = yield* fetchUrl(`${host.origin}/a`)
    yield* Expect.that("a fetch returns it", remote).is(expected)
  },
  *"returns the content byte for byte after only one request"() {
    const host = yield* open(makeHosting())
    const { bytes } = yield* fetchUrl(`${host.origin}/a.mp3?x=1`)
    yield* Expect.that("the length", bytes.length).is(content.length)
    yield* Expect.holds(
      "every byte",
      bytes.every((byte, index) => byte === content[index])
    )
    yield* host.requestCount.pipe(Expect.gives("one request", 1))
  },
  *"follows a redirect, and returns the final URL"() {
    const host = yield* open(makeHosting())
    const location = `${host.origin}/talk.mp3?x=1`
    const hosting = makeHosting({ status: 302, headers: { location }, content: new Uint8Array() })
    const { origin } = yield* open(hosting)
    const { hops } = yield* check(`${origin}/short`)
    yield* Expect.that("a check returns it", hops).is([location])
    const { bytes, remote } = yield* fetchUrl(`${origin}/short`)
    yield* Expect.that("a fetch returns it", remote.hops).is([location])
    yield* Expect.that("the length", bytes.length).is(content.length)
  },
  *"refuses partial and empty content"() {
    const part = { "content-range": "bytes 0-99/16044", "content-length": "100" }
    const hostings = [
      makeHosting({ status: 204, headers: {}, content: new Uint8Array() }),
      makeHosting({ status: 206, headers: part, content: content.slice(0, 100) }),
      makeHosting({ headers: { "content-length": "0" }, content: new Uint8Array() })
    ]
    for (const hosting of hostings) {
      const { origin } = yield* open(hosting)
      yield* Expect.that("the URL is unreachable", [
        yield* reasonOf(check(origin)),
        yield* reasonOf(fetchUrl(origin))
      ]).is(["Unreachable", "Unreachable"])
    }
  },
  "fails on every status other than 2xx": Effect.forEach(
    [304, 400, 401, 403, 404, 410, 416, 429, 500, 503],
    Effect.fnUntraced(function* (status) {
      const host = yield* open(makeHosting({ status, headers: {}, content: new Uint8Array() }))
      yield* Expect.that(`${status} is no media`, [
        yield* reasonOf(check(host.origin)),
        yield* reasonOf(fetchUrl(host.origin))
      ]).is(["Unreachable", "Unreachable"])
    }),
    { discard: true }
  ),
  *"fails when the content is shorter than the announced length"() {
    const host = yield* open(makeHosting({ cutAfter: 100_000 }))
    yield* reasonOf(fetchUrl(host.origin)).pipe(
      Expect.gives("the content is not accepted as complete", "Unreachable")
    )
  },
  *"fails with `Unresolved` for an unknown host, and `Unreachable` for a refused connection"() {
    yield* Expect.that("no address", yield* reasonOf(check("http://nobody.invalid/a.mp3"))).is(
      "Unresolved"
    )
    const closed = yield* Effect.scoped(Effect.map(open(makeHosting()), ({ origin }) => origin))
    yield* reasonOf(check(closed)).pipe(Expect.gives("no listener", "Unreachable"))
  },
  *"ends a check within 10 seconds when the host does not respond"() {
    const host = yield* open({ _tag: "SaysNothing" })
    const failing = yield* Effect.forkChild(reasonOf(check(host.origin)))
    yield* Expect.holds("in time", yield* endsWithin(Fiber.await(failing), checkMax))
    yield* Fiber.join(failing).pipe(Expect.gives("the check fails", "Unreachable"))
  },
  *"closes the connection, whether or not the content was read to the end"() {
    const endless = yield* open({ _tag: "NeverEnds" })
    const whole = yield* open(makeHosting())
    yield* check(endless.origin)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const fetcher = yield* MediaFetcher
        const { content } = yield* fetcher.fetch(endless.origin)
        yield* Stream.runDrain(Stream.take(content, 2))
      })
    )
    yield* fetchUrl(whole.origin)
    for (const { connected } of [endless, whole]) {
      const isGone = Effect.map(connected, (count) => count === 0)
      yield* Expect.holds("the host has no connection left", yield* soon(isGone))
    }
  },
  *"gives each of many concurrent fetches its own content"() {
    const lengths = [1, 1_000, 70_000]
    const hosts = yield* Effect.forEach(lengths, (length) =>
      open(makeHosting({ headers: {}, content: content.slice(0, length) }))
    )
    const all = yield* atOnce(hosts, ({ origin }) => fetchUrl(origin))
    yield* Expect.that(
      "each fetch gets its own content",
      all.map(({ bytes }) => bytes.length)
    ).is(lengths)
  }
})

export const contract: Contract<Ports> = { port: "MediaFetcher", cases, advance: Effect.sleep }
