/**
 * Where speech is, without a model: where ffmpeg hears no silence. Ordinary noise is taken for
 * speech, which costs time and no words.
 */
import { env } from "node:process"
import type { DecodedAudio } from "@verbatim/core/transcription/DecodedAudio"
import { Duration, Effect } from "effect"
import { run } from "../pocketsphinx/Command.ts"
import { type Span, sampleRate } from "./Protocol.ts"

/** Measured on speech: below it is breath and hiss (engines report, 1.3). */
const filter = "silencedetect=noise=-35dB:d=0.4,ametadata=mode=print:file=-"

/** 1,000 times real time on a slow core. */
const timeout = Duration.minutes(5)

/** A frame has 1,024 samples and takes 100 bytes here at most. */
const outputByteMax = 256 * 1_024 * 1_024

/** Kept at both ends of speech, because it fades in and out. */
const margin = Math.round(0.1 * sampleRate)

/** What ffmpeg prints of silences, as the spans between them. Pure. */
export const spansOf = (output: string, sampleCount: number): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let start: number | undefined = 0
  for (const [, edge, seconds] of output.matchAll(/silence_(start|end)=(-?[\d.]+)/g)) {
    const at = Math.min(Math.max(Math.round(Number(seconds) * sampleRate), 0), sampleCount)
    if (edge === "end") start = Math.max(at - margin, 0)
    else if (start !== undefined) {
      if (at > start) spans.push({ start, end: Math.min(at + margin, sampleCount) })
      start = undefined
    }
  }
  if (start !== undefined && start < sampleCount) spans.push({ start, end: sampleCount })
  return spans
}

/** Where speech is; none when ffmpeg cannot tell. */
export const speechIn = Effect.fnUntraced(
  function* (audio: DecodedAudio) {
    const input = ["-f", "s16le", "-ar", `${sampleRate}`, "-ac", "1", "-i", `file:${audio.path}`]
    const { exitCode, output } = yield* run({
      program: "ffmpeg",
      arguments: ["-nostdin", "-v", "error", ...input, "-af", filter, "-f", "null", "-"],
      environment: { PATH: env.PATH },
      timeout,
      outputByteMax
    })
    return exitCode === 0 ? spansOf(output, audio.sampleCount) : null
  },
  Effect.orElseSucceed(() => null)
)
