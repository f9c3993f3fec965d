/** Transcribes with one scripted response, and also returns the request. */
import type { Recognition } from "@verbatim/core/ports"
import { Effect } from "effect"
import { type ReceivedRequest, respondWith, serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

/** Transcribes three seconds of audio with a server that returns the given response. */
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
  return {
    recognised,
    received: received satisfies ReceivedRequest,
    requests: server.received.length
  }
})
