import { createServer, type ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import * as Net from "@verbatim/adapters/net"
import { listen } from "@verbatim/testkit/servers"
import { Context, Duration, Effect, Layer } from "effect"
import { IpNetwork } from "effect/net"
import { encoded, encodings } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const mebibyte = 1_048_576

/** A media server's responses, keyed by path. */
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  "/a.mp3": (response) => response.end("sound"),
  "/b.txt": (response) => response.end("text"),
  "/b.txt/named": (response) =>
    response.setHeader("content-disposition", 'attachment; filename="x.OGG"').end("sound"),
  "/typed": (response) => response.setHeader("content-type", "Audio/FLAC").end("sound"),
  "/untyped": (response) => response.setHeader("content-type", "text/html").end("text"),
  "/large.mp3": (response) => response.setHeader("content-length", mebibyte + 1).write("x"),
  "/moved.mp3": (response) => response.writeHead(302, { location: "/a.mp3" }).end(),
  "/inwards.mp3": (response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  "/silent.mp3": () => undefined
}

class Origin extends Context.Service<Origin, { readonly origin: string }>()(
  "@verbatim/http/test/TranscriptionUrls/Origin"
) {
  static readonly layer = Layer.effect(
    Origin,
    Effect.suspend(() =>
      listen(
        createServer(({ url = "" }, response) => {
          const answer = answers[url.split("?", 1)[0] ?? ""]
          if (answer === undefined) response.writeHead(404).end()
          else answer(response)
        })
      )
    ).pipe(Effect.map((origin) => ({ origin })))
  )
}

const unreachable = "Invalid URL or file not accessible"
const scheme = "Invalid 'URL' format. Must start with http or https"
const extension = (shown: string) => `Unsupported file extension: ${shown}`

/**
 * URLs and the expected responses. `~` stands for the server above. If there is no message, the
 * response is a job.
 */
const urls: ReadonlyArray<readonly [url: string, status: number, detail?: string]> = [
  ["~/a.mp3", 200],
  ["~/b.txt/named", 200],
  ["~/typed", 200],
  ["~/moved.mp3", 200],
  ["~/b.txt", 415, extension(".txt")],
  ["~/untyped", 415, extension("")],
  ["~/large.mp3", 413, "File size exceeds 1MB limit"],
  ["~/inwards.mp3", 400, unreachable],
  ["~/silent.mp3", 400, unreachable],
  ["http://localhost/a.mp3", 400, unreachable],
  ["http://private.example.com/a.mp3", 400, unreachable],
  ["http://gone.example.com/a.mp3", 400, "Failed to resolve URL: gone.example.com: ENODATA"],
  ["file:///etc/passwd.mp3", 400, scheme]
]

/** Resolves every name to a private address, except for one name that does not resolve. */
const resolve: Net.GuardOptions["resolve"] & {} = (host) =>
  Effect.succeed(host === "gone.example.com" ? [] : ["192.168.0.1"])

const fetcher = Net.GuardedMediaFetcher.layer({
  allowedNetworks: [IpNetwork.fromStringUnsafe("127.0.0.1/32")],
  resolve,
  limits: { checkTimeout: Duration.seconds(2) }
})

layer(Layer.merge(Deployment.layer({ maxFileMegabytes: 1, fetcher }), Origin.layer), {
  excludeTestServices: true
})("a url", (it) => {
  for (const [url, status, detail] of urls) {
    it.effect(`gets the documented response: ${url.slice(0, 60)}: ${status} ${detail ?? ""}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment.Deployment
        const { origin } = yield* Origin
        const whole = url.replace(/^~/, origin)
        for (const encoding of encodings) {
          const key = Deployment.keys.inference
          const answer = yield* call("/v1/transcribe", {
            key,
            ...encoded(encoding, { url: whole })
          })
          const body = JSON.parse(answer.text)
          assert.deepStrictEqual([answer.status, body.detail], [status, detail])
          if (status === 200) assert.strictEqual(body.transcription_status, "ACCEPTED")
        }
        const quote = yield* call("/v1/transcriptions/quote", {
          key: Deployment.keys.inference,
          ...encoded("json", { url: whole })
        })
        const { balance_minutes: balance, detail: said } = JSON.parse(quote.text)
        const expected = [status, detail, status === 200 ? "600.00" : undefined]
        assert.deepStrictEqual([quote.status, said, balance], expected)
      })
    )
  }

  it.effect(
    "leaves nothing in the media store until it is downloaded",
    () => Deployment.storesNothing
  )
})
