/** Transcribes one scripted answer, and returns the request too. */
import type { Recognition } from "@verbatim/core/ports"
import { Effect } from "effect"
import { type Asked, says, serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

/** Transcribes three seconds with a server that returns this answer. */
export const transcribeAnswer = Effect.fnUntraced(function* (
  answer: unknown,
  settings: Partial<Recognition> = {},
  options: Parameters<typeof transcribe>[1]["options"] = {}
) {
  const server = yield* serve(() => says(answer))
  const audio = yield* writeAudio(tone(3))
  const recognised = yield* transcribe(server.url, { options, recognition: { ...settings, audio } })
  const [asked] = server.asked
  if (asked === undefined) return yield* Effect.die("nothing was asked")
  return { recognised, asked: asked satisfies Asked, requests: server.asked.length }
})
