/** Tests that the error about a missing optional package says what to install. */
import { globSync, readFileSync } from "node:fs"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type Installation, install } from "./Installation.ts"

const manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
) as {
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

interface Need {
  readonly package: string
  /** A program that prints the error about the missing package. */
  readonly program: string
  readonly says: string
}

const needs: ReadonlyArray<Need> = [
  {
    package: "@ffmpeg/core",
    program: `
      import { writeFileSync } from "node:fs"
      import { Effect } from "effect"
      import { AudioDecoder } from "@verbatim/core/ports"
      import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
      writeFileSync("noise.wav", "no sound")
      const media = { path: "noise.wav", extension: ".wav", byteLength: 8 }
      const error = await AudioDecoder.use((decoder) => decoder.decode(media)).pipe(
        Effect.scoped, Effect.flip, Effect.provide(Ffmpeg.layer()), Effect.runPromise
      )
      console.log(error._tag, error.reason._tag, error.reason.detail)`,
    says:
      "AudioDecoderError EngineUnavailable " +
      "Install @ffmpeg/core to decode without ffmpeg: npm install @ffmpeg/core"
  },
  {
    package: "sherpa-onnx-node",
    program: `
      import { Effect } from "effect"
      import { Transcriber } from "@verbatim/core/ports"
      import * as Whisper from "@verbatim/adapters/whisper"
      const layer = Whisper.layer({
        modelDirectory: "models", model: "base", guard: { allowedNetworks: [] },
        modelSource: { urls: [] }, installs: false, report: () => Effect.void
      })
      const readiness = await Transcriber.use(({ readiness }) => readiness).pipe(
        Effect.provide(layer), Effect.runPromise
      )
      console.log(readiness._tag, readiness.sentence)`,
    says:
      "Unavailable " +
      "Install sherpa-onnx-node to recognise speech on this machine: npm install sherpa-onnx-node"
  },
  {
    package: "@aws-sdk/client-s3",
    program: `
      import { Effect, Layer, Option } from "effect"
      import * as S3 from "@verbatim/adapters/s3"
      const layer = S3.layer({
        bucket: "media", prefix: "", region: "any", directory: "reading",
        endpoint: Option.none(), credentials: Option.none()
      })
      const error = await Layer.build(layer).pipe(Effect.scoped, Effect.flip, Effect.runPromise)
      console.log(error._tag, error.reason._tag, error.reason.cause.message)`,
    says:
      "MediaStoreError Unavailable " +
      "Install @aws-sdk/client-s3 to keep media in a bucket: npm install @aws-sdk/client-s3"
  },
  {
    package: "undici",
    program: `
      import { Duration, Effect } from "effect"
      import { WebhookSender } from "@verbatim/core/ports"
      import * as Net from "@verbatim/adapters/net"
      const guard = { allowedNetworks: [], resolve: () => Effect.succeed(["127.0.0.1"]) }
      const timeout = Duration.seconds(30)
      const post = { url: "https://hooks.example.com/", headers: {}, body: "", timeout }
      const error = await WebhookSender.use((sender) => sender.post(post)).pipe(
        Effect.flip, Effect.provide(Net.layer(guard)), Effect.runPromise
      )
      console.log(error._tag, error.detail)`,
    says:
      "WebhookSenderError " + "Install undici to send requests to the outside: npm install undici"
  },
  {
    // This package provides only types.
    package: "@ai-sdk/provider",
    program: `
      import { transcriber } from "@verbatim/adapters/ai-sdk"
      console.log("works with", typeof transcriber)`,
    says: "works with function"
  }
]

describe("a host without optional packages", () => {
  const host: Installation = install()
  afterAll(() => host[Symbol.dispose]())

  it.for(needs)("gets an error that says what to install: $package", async ({ program, says }) => {
    assert.strictEqual(await host.run(program), says)
  })

  it("can import every entry point of adapters and embed", async () => {
    const doors = Object.keys(manifest.exports).filter((door) => door !== "./package.json")
    const names = [
      ...doors.map((door) => door.replace(".", "@verbatim/adapters")),
      "@verbatim/embed",
      "@verbatim/embed/ai-sdk",
      "@verbatim/embed/engines",
      "@verbatim/embed/effect",
      "@verbatim/embed/platform",
      "@verbatim/embed/transactions"
    ]
    const program = `
      for (const name of ${JSON.stringify(names)}) await import(name)
      console.log("imported")`
    assert.strictEqual(await host.run(program), "imported")
  })

  it("gets an error that says what to install if it opens Verbatim without a decoder", async () => {
    const program = `
      import { open } from "@verbatim/embed"
      const transcribe = async () => ({ language: "en", segments: [] })
      const error = await open({ database: "memory:", transcribe }).catch((error) => error)
      console.log(error.name, error.code, error.message)`
    assert.strictEqual(
      await host.run(program),
      "InvalidOptions DecoderMissing Media cannot be decoded without ffmpeg on PATH or " +
        "@ffmpeg/core: npm install @ffmpeg/core"
    )
  })

  it("handles calls and web requests, and is told at once what `node:http` needs", async () => {
    const program = `
      import { open } from "@verbatim/embed"
      const verbatim = await open({
        database: "memory:",
        media: "media",
        roles: ["http"]
      })
      const { slug } = await verbatim.presets.createFromResponses("notes", {})
      const { status } = await verbatim.fetch(new Request("http://localhost/v1/presets"))
      let error
      try { verbatim.handler } catch (thrown) { error = thrown }
      const { fetch: copied } = { ...verbatim }
      await verbatim.close()
      console.log(slug, status, typeof copied, error.name, error.code, error.message)`
    assert.strictEqual(
      await host.run(program),
      "notes 401 function InvalidOptions PackageMissing Install @effect/platform-node to " +
        "answer requests of node:http: npm install @effect/platform-node"
    )
  })

  it("has a test for each package that the manifest lists as optional", () => {
    assert.sameMembers(
      Object.keys(manifest.peerDependenciesMeta),
      needs.map(({ package: name }) => name)
    )
  })
})

describe("a host with an optional package", () => {
  it("gets no error that asks for this package", async () => {
    const chosen = ["@ffmpeg/core", "@aws-sdk/client-s3", "undici", "sherpa-onnx-node"]
    using host = install(chosen)
    for (const need of needs.filter(({ package: name }) => chosen.includes(name))) {
      const said = await host.run(need.program).catch(({ stderr }) => String(stderr))
      assert.notInclude(said, "npm install", need.package)
    }
  })
})

it("no source file in core, adapters or http imports one of the server's packages", () => {
  const root = new URL("../../../", import.meta.url)
  for (const path of globSync("{core,adapters,http}/src/**/*.ts", { cwd: root })) {
    const text = readFileSync(new URL(path.replaceAll("\\", "/"), root), "utf8")
    assert.notInclude(text, '"@effect/platform-node/', path)
  }
})
