/**
 * What the transcriber makes of one answer, and what it asked for it.
 */
import type { Recognition } from "@verbatim/core/ports"
import { Effect } from "effect"
import { listen, recorded, tone } from "./Listening.ts"
import { type Asked, says, serve } from "./ScriptedServer.ts"

/** Three seconds heard by a server that answers like this. */
export const heard = Effect.fnUntraced(function* (
  answer: unknown,
  wishes: Partial<Recognition> = {},
  options: Parameters<typeof listen>[1]["options"] = {}
) {
  const server = yield* serve(() => says(answer))
  const audio = yield* recorded(tone(3))
  const recognised = yield* listen(server.url, { options, recognition: { ...wishes, audio } })
  const [asked] = server.asked
  if (asked === undefined) return yield* Effect.die("nothing was asked")
  return { recognised, asked: asked satisfies Asked, requests: server.asked.length }
})
