/** Transcribers with faults. The sound one is scripted: it hears speech in what is not silence. */
import { NodeFileSystem } from "@effect/platform-node"
import {
  Readiness,
  type Recognised,
  type Recognition,
  Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import { durationMillis, type Language, type Segment } from "@verbatim/core/transcription"
import { Effect, FileSystem, Layer } from "effect"
import { Speech } from "#src/contracts/cases/TranscriberCases"
import { listFaults } from "./Fault.ts"

type TranscriberPorts = Transcriber | Speech | FileSystem.FileSystem

const spoken = "I will write the letter tomorrow"

/** What the scripted recogniser hears when it is not told, and what it cannot do. */
const detected = "ta"
const unsupported: Language = "cy"

const languageError = (language: string) =>
  new TranscriberError({ reason: { _tag: "LanguageUnsupported", language } })

/** Speech that is not silence, and a recogniser that hears all such speech as `spoken`. */
const recognising = (
  change: (heard: Recognised) => Recognised,
  refuses: (language: Language | null) => boolean = (language) => language === unsupported
): Layer.Layer<TranscriberPorts> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* Effect.orDie(files.makeTempDirectoryScoped())}/speech`
      const sampleCount = 32_000
      yield* Effect.orDie(files.writeFile(path, new Uint8Array(sampleCount * 2).fill(7)))
      const gone = new TranscriberError({ reason: { _tag: "StorageFailed", detail: "gone" } })
      const transcribe = Effect.fnUntraced(function* ({ audio, language }: Recognition) {
        const bytes = yield* Effect.mapError(files.readFile(audio.path), () => gone)
        const isSilent = bytes.every((byte) => byte === 0)
        const segments = isSilent ? [] : segmentsOf(durationMillis(audio))
        const heard = { engine: "scripted", language: language ?? detected, segments }
        if (refuses(language)) return yield* languageError(language ?? detected)
        return change(heard)
      })
      return Layer.merge(
        Layer.succeed(Speech, {
          audio: { path, sampleCount },
          text: spoken,
          language: "en",
          detected,
          unsupported
        }),
        Layer.succeed(Transcriber, {
          readiness: Effect.succeed(Readiness.cases.Ready.make({ engine: "scripted" })),
          transcribe
        })
      )
    })
  ).pipe(Layer.provideMerge(NodeFileSystem.layer))

const segmentsOf = (endMillis: number): ReadonlyArray<Segment> =>
  spoken.split(" ").map((text, index, words) => ({
    startMillis: Math.floor((endMillis * index) / words.length),
    endMillis: Math.floor((endMillis * (index + 1)) / words.length),
    speaker: "speaker_0",
    text
  }))

const segmentwise =
  (change: (segment: Segment) => Segment) =>
  (heard: Recognised): Recognised => ({ ...heard, segments: heard.segments.map(change) })

/** Every segment as two, the second of which begins in the middle of a word. */
const halving =
  (second: Pick<Segment, "hasSpaceBefore">) =>
  (heard: Recognised): Recognised => ({
    ...heard,
    segments: heard.segments.flatMap(({ endMillis, startMillis, text, ...segment }) => {
      const [at, millis] = [Math.ceil(text.length / 2), Math.floor((startMillis + endMillis) / 2)]
      return [
        { ...segment, startMillis, endMillis: millis, text: text.slice(0, at) },
        { ...segment, startMillis: millis, endMillis, text: text.slice(at), ...second }
      ]
    })
  })

/** It cuts words in two, and says so. */
export const soundTranscriber = recognising(halving({ hasSpaceBefore: false }))

export const transcriberFaults = listFaults<TranscriberPorts>({
  "recognises most words, in the language asked for, and names its engine": {
    "understands nothing": recognising(segmentwise((segment) => ({ ...segment, text: "the" })))
  },
  "recognises them in whatever language it detects, and tells its code": {
    "fails where it detects a language that nobody may ask for": recognising(
      (heard) => heard,
      (language) => language === null || language === unsupported
    )
  },
  "refuses a language that it cannot do": {
    "does its best in a language that it cannot do": recognising(
      (heard) => heard,
      () => false
    )
  },
  "hears nothing in silence": {
    "has no code for the language of silence": recognising((heard) =>
      heard.segments.length > 0 ? heard : { ...heard, language: "" }
    )
  },
  "gives segments in order of time, within the audio, and the same ones twice at once": {
    "hears beyond the end": recognising(
      segmentwise((segment) => ({ ...segment, endMillis: 60_000 }))
    )
  }
})
