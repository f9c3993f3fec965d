/**
 * Verbatim inside a program: no server, no keys, stores in memory. A preset gets two versions, and
 * a recording becomes text with a summary.
 */
import { fileURLToPath } from "node:url"
import { NodeRuntime } from "@effect/platform-node"
import { Presets } from "@verbatim/core"
import * as Verbatim from "@verbatim/server"
import { Console, Effect } from "effect"

const recording = fileURLToPath(new URL("../audio/harbour-minute.mp3", import.meta.url))

const program = Effect.gen(function* () {
  const owner = yield* Verbatim.owner
  const presets = yield* Presets

  for (const instructions of ["Take notes.", "Take short notes."]) {
    const body = Effect.succeed({ model: "any/model", instructions, temperature: 0.2 })
    const { version } = yield* presets.create({ principal: owner, slug: "notes", body })
    yield* Console.log(`notes version ${version.version}: ${version.systemPrompt}`)
  }

  const job = yield* Verbatim.transcribe(owner, {
    path: recording,
    parameters: { summary: "brief" }
  })
  const { error, output, summary } = yield* Verbatim.finished(owner, job)
  yield* Console.log(error ?? output?.list.map(({ text }) => text).join(" "))
  yield* Console.log(`Summary: ${summary}`)
})

program.pipe(Effect.provide(Verbatim.layer()), NodeRuntime.runMain)
