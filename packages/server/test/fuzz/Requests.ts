/**
 * Requests to every operation, as bytes: most as a client would send them with some wrong value,
 * some broken on the wire. A seed and a number give the same request each time.
 */
import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { type Edit, edit, edits, encode, textOf, type Upload } from "./Bodies.ts"
import { type Known, ofSchema } from "./FromSchema.ts"
import type { Route } from "./Operations.ts"
import { strings } from "./Values.ts"

/** What a request is made of beside the description of the API. */
export interface Surroundings extends Known {
  readonly keys: {
    readonly management: string
    readonly inference: string
    readonly operator: string
  }
}

/** What requests are about, by its kind: ids of what there is when they are sent. */
export interface Kept {
  readonly job: ReadonlyArray<string>
  readonly tenant: ReadonlyArray<string>
  /** Keys of the workspace that the bearers belong to. */
  readonly own: ReadonlyArray<string>
  /** Keys of the first tenant. */
  readonly other: ReadonlyArray<string>
}

const keptCount = 8

/** One of those that the run keeps, by its number; it is named when the request is sent. */
const placesOf = (kind: keyof Kept) =>
  Array.from({ length: keptCount }, (_, number) => `${kind}-${number}`.padEnd(36, "-"))

/** Two at most are missing at a time: the others are there to be read. */
const removable = (places: ReadonlyArray<string>, method: string) =>
  method === "DELETE" ? places.slice(-2) : places

const idsIn = ({ method, path }: Route): ReadonlyArray<string> => {
  if (!path.startsWith("/v1/workspaces")) return removable(placesOf("job"), method)
  return path.includes("/keys")
    ? placesOf("tenant").slice(0, 1)
    : removable(placesOf("tenant"), method)
}

/** A request to be sent. */
export interface Request {
  /** Such as `POST /v1/transcribe`. */
  readonly operation: string
  readonly bytes: Uint8Array
  /** Whether it ends where it says: then it must be answered. */
  readonly isWhole: boolean
}

type Header = readonly [name: string, value: string]

/** The presets that requests are about. */
export const slugs = Array.from({ length: 4 }, (_, index) => `fuzz-${index}`)

/** What stands for a name in a path. */
const inPath = (name: string, route: Route): fc.Arbitrary<string> => {
  const good: Readonly<Record<string, ReadonlyArray<string>>> = {
    slug: slugs,
    label: ["production", "staging"],
    id: idsIn(route),
    key_id: removable(placesOf(route.isOperators ? "other" : "own"), route.method),
    external_id: ["customer-1", "customer-2"],
    model: ["whisper-1", "none"],
    version: ["1", "2", "3", "999999", "0", "-1", "1e3", "99999999999999999999"],
    modifier: ["plain_text", "plain_json", "paragraph_text", "paragraph_json", "srt", "vtt"]
  }
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(good[name] ?? ["x"])) },
    { weight: 1, arbitrary: strings.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom("..", "%2e%2e", "%00", "%ff", "a%2Fb", "", "~", "é") }
  )
}

const oddHeaders: ReadonlyArray<Header> = [
  ["expect", "100-continue"],
  ["expect", "cheese"],
  ["connection", "upgrade"],
  ["upgrade", "websocket"],
  ["content-encoding", "gzip"],
  ["transfer-encoding", "gzip"],
  ["content-length", "5"],
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "multipart/form-data"],
  ["if-match", '"x"'],
  ["if-match", "*"],
  ["if-none-match", "*"],
  ["idempotency-key", "one"],
  ["idempotency-key", "é"],
  ["range", "bytes=0-1"],
  ["accept", "text/html"],
  ["accept-encoding", "gzip, br"],
  ["host", "other.example"],
  ["cookie", "a=b"],
  ["traceparent", "00-zz"],
  ["x-session-id", "s".repeat(300)],
  ["x-large", "x".repeat(17_000)]
]

const authorization = (
  { keys }: Surroundings,
  { isOperators }: Route
): fc.Arbitrary<ReadonlyArray<Header>> => {
  const bearer = (token: string): ReadonlyArray<Header> => [["authorization", `Bearer ${token}`]]
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(bearer(isOperators ? keys.operator : keys.management)) },
    { weight: 1, arbitrary: fc.constantFrom(bearer(keys.operator), bearer(keys.management)) },
    { weight: 4, arbitrary: fc.constant(bearer(keys.inference)) },
    { weight: 1, arbitrary: fc.constantFrom<ReadonlyArray<Header>>([], bearer("x".repeat(36))) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<ReadonlyArray<Header>>(
        [["authorization", "Basic eDp5"]],
        [["authorization", `bearer  ${keys.inference}`]],
        [...bearer(keys.inference), ...bearer(keys.management)]
      )
    }
  )
}

/** Versions that most presets of a run have; chance alone would hardly name two of them. */
const versionNames = fc.constantFrom("1", "1", "2", "999999")

const queryOf = (route: Route, known: Surroundings): fc.Arbitrary<string> => {
  const names = Object.keys(route.query)
  if (names.length === 0) return fc.constantFrom("", "", "?", "?x=1")
  const isComparing = route.path.endsWith("/diff")
  const valueOf = (name: string) =>
    isComparing && (name === "from" || name === "to")
      ? fc.oneof({ weight: 4, arbitrary: versionNames }, ofSchema(route.query[name] ?? {}, known))
      : (known.named[name] ?? ofSchema(route.query[name] ?? {}, known))
  const pairOf = (name: string) =>
    valueOf(name).map((value): [string, string] => [name, textOf(value)])
  const chosen = fc.oneof(
    ...(isComparing ? [{ weight: 8, arbitrary: fc.constant(["from", "to"]) }] : []),
    { weight: 4, arbitrary: fc.subarray(names, { minLength: names.length - 1 }) },
    { weight: 4, arbitrary: fc.subarray(names) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...names), { maxLength: 3 }) }
  )
  return chosen
    .chain((all) => fc.tuple(...all.map(pairOf)))
    .map((pairs) => (pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`))
}

const targetOf = (route: Route, known: Surroundings): fc.Arbitrary<string> => {
  const pieces = route.path.split(/\{(\w+)\}/)
  const path = fc
    .tuple(
      ...pieces.map((piece, index) => (index % 2 === 0 ? fc.constant(piece) : inPath(piece, route)))
    )
    .map((all) => all.join(""))
  return fc.tuple(path, queryOf(route, known)).map(([one, query]) => one + query)
}

/** No edits for the most part. */
const rareEdits = (once: number): fc.Arbitrary<ReadonlyArray<Edit>> =>
  fc.oneof(
    { weight: once - 1, arbitrary: fc.constant<ReadonlyArray<Edit>>([]) },
    { weight: 1, arbitrary: edits }
  )

interface Body {
  readonly type: string
  readonly bytes: Uint8Array
}

const bodyOf = (route: Route, known: Surroundings): fc.Arbitrary<Body | undefined> => {
  if (route.bodies.length === 0) return fc.constant(undefined)
  return fc.constantFrom(...route.bodies).chain(([type, schema]) =>
    fc.tuple(ofSchema(schema, known), rareEdits(4)).map(([value, all]) => {
      const [header, bytes] = encode(type, value)
      return { type: header, bytes: edit(bytes, all) }
    })
  )
}

const framings = ["length", "length", "length", "length", "chunked", "short", "long"] as const

const framed = (bytes: Uint8Array, framing: (typeof framings)[number]) => {
  if (framing === "chunked") {
    const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
    const chunk = bytes.length === 0 ? [] : [size, bytes, Buffer.from("\r\n")]
    const whole = Buffer.concat([...chunk, Buffer.from("0\r\n\r\n")])
    return { header: ["transfer-encoding", "chunked"] as const, bytes: whole }
  }
  const told = { length: 0, short: -1, long: 10 }[framing]
  const length = Math.max(0, bytes.length + told)
  return { header: ["content-length", String(length)] as const, bytes }
}

const written = (start: string, headers: ReadonlyArray<Header>, body: Uint8Array): Uint8Array => {
  const lines = [start, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""]
  return Buffer.concat([Buffer.from(lines.join("\r\n")), body])
}

const ofRoute = (route: Route, known: Surroundings): fc.Arbitrary<Request> =>
  fc
    .record({
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(route.method) },
        { weight: 1, arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "DELETE", "FROB", "get") }
      ),
      target: targetOf(route, known),
      keys: authorization(known, route),
      odd: fc.oneof(
        { weight: 5, arbitrary: fc.constant<ReadonlyArray<Header>>([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(...oddHeaders), { maxLength: 2 }) }
      ),
      body: bodyOf(route, known),
      framing: fc.constantFrom(...framings),
      broken: rareEdits(6)
    })
    .map(({ body, broken, framing, keys, method, odd, target }) => {
      const sent = body === undefined ? undefined : framed(body.bytes, framing)
      const own: ReadonlyArray<Header> =
        body === undefined || sent === undefined ? [] : [["content-type", body.type], sent.header]
      const first: ReadonlyArray<Header> = [
        ["host", "127.0.0.1"],
        ["connection", "close"]
      ]
      const headers = [...first, ...keys, ...own, ...odd]
      const start = `${method} ${target} HTTP/1.1`
      const whole = written(start, headers, sent?.bytes ?? new Uint8Array())
      const isWhole = framing !== "long" && broken.length === 0 && odd.length === 0
      return { operation: `${route.method} ${route.path}`, bytes: edit(whole, broken), isWhole }
    })

/** Files as they are uploaded: named and nameless, sound and not. */
export const uploads = (sound: Uint8Array): fc.Arbitrary<Upload> =>
  fc.record({
    filename: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<string | undefined>("a.wav", "b.mp3", "c.mp4") },
      {
        weight: 2,
        arbitrary: fc.constantFrom<string | undefined>(undefined, "", "x.exe", '"; x="', "é.wav")
      }
    ),
    bytes: fc.oneof(
      { weight: 2, arbitrary: fc.constant(sound) },
      { weight: 1, arbitrary: edits.map((all) => edit(sound, all)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) }
    )
  })

const place = /(job|tenant|own|other)-(\d)-{24,}/g

/** The requests of a run, by their number. What they are about is named in their turn. */
export const requestsOf = (
  routes: ReadonlyArray<Route>,
  known: Surroundings,
  seed: number
): ((number: number, kept: Kept) => Request) => {
  const request = fc.oneof(...routes.map((route) => ofRoute(route, known)))
  // Seeds beside each other have no requests in common.
  const first = Math.imul(seed, 0x9e3779b1)
  return (number, kept) => {
    const [one] = fc.sample(request, { seed: (first + number) | 0, numRuns: 1 })
    if (one === undefined) throw new Error("nothing was sampled")
    const text = Buffer.from(one.bytes).toString("latin1")
    const named = text.replaceAll(place, (_, kind: keyof Kept, number) => {
      const ids = kept[kind]
      return ids[Number(number) % ids.length] ?? ""
    })
    return { ...one, bytes: Buffer.from(named, "latin1") }
  }
}
