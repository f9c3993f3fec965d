/** Provides a transcriber for tests, and generates audio. */
import { join } from "node:path"
import { NodeCrypto } from "@effect/platform-node"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { type TranscriberOptions, transcriber } from "@verbatim/adapters/openai"
import { type Recognition, Transcriber } from "@verbatim/core/ports"
import { Duration, Effect, FileSystem, Option } from "effect"
import { respondWith, serve } from "./ScriptedServer.ts"

/**
 * Limits on retries: pauses of milliseconds instead of seconds, and enough total time for a busy
 * machine.
 */
export const quickRetries = {
  retryMax: 2,
  within: Duration.minutes(5),
  delay: Duration.millis(5)
}

/** The settings that tests use by default. */
export const defaultRecognition = {
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: false
} as const

/** Returns samples of a tone that is silent near each of the given seconds. */
export const tone = (seconds: number, silences: ReadonlyArray<number> = []): Uint8Array => {
  const samples = new Int16Array(seconds * 16_000)
  for (let at = 0; at < samples.length; at++) {
    const isSilent = silences.some((silence) => Math.abs(at / 16_000 - silence) < 0.15)
    samples[at] = isSilent ? 0 : Math.round(8_000 * Math.sin(at / 6))
  }
  return new Uint8Array(samples.buffer)
}

/** Writes decoded audio to a file, which is removed when the scope closes. */
export const writeAudio = Effect.fnUntraced(function* (pcm: Uint8Array) {
  const fs = yield* FileSystem.FileSystem
  const path = join(yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" }), "audio")
  yield* fs.writeFile(path, pcm)
  return { path, sampleCount: pcm.byteLength / 2 }
}, Effect.provide(nodeFileSystem))

/** Transcribes with the server at the URL. */
export const transcribe = (
  url: string,
  {
    options = {},
    recognition
  }: {
    readonly options?: Partial<TranscriberOptions>
    readonly recognition: Partial<Recognition> & Pick<Recognition, "audio">
  }
) =>
  Effect.flatMap(Transcriber, ({ transcribe }) =>
    transcribe({ ...defaultRecognition, ...recognition })
  ).pipe(
    Effect.provide(
      transcriber({
        url,
        key: Option.none(),
        model: "whisper-1",
        dialect: "openai",
        retries: quickRetries,
        ...options
      })
    ),
    Effect.provide(NodeCrypto.layerSecureRandom)
  )

/** Transcribes three seconds of audio with a server that returns this response. */
export const transcribeAnswer = Effect.fnUntraced(function* (
  answer: unknown,
  settings: Partial<Recognition> = {},
  options: Parameters<typeof transcribe>[1]["options"] = {}
) {
  const server = yield* serve(() => respondWith(answer))
  const audio = yield* writeAudio(tone(3))
  const recognised = yield* transcribe(server.url, { options, recognition: { ...settings, audio } })
  const [received] = server.received
  if (received === undefined) return yield* Effect.die("nothing was asked")
  return { recognised, received }
})
