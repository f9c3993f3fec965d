/** What this machine gives: engines, a decoder, and room on its disks. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import { Transcriber } from "@verbatim/core/ports"
import { ByteSize, Effect, Layer, Option } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as Disks from "../Disks.ts"
import type { TranscriberName } from "../EngineNames.ts"
import * as Engines from "../Engines.ts"
import { type Check, type Finding, failed, ok, warning } from "./Finding.ts"
import { isWritable } from "./Writable.ts"

/** What an engine says of itself. Nothing is fetched, and no server is asked. */
const readinessOf = (name: TranscriberName, settings: Configuration) =>
  Effect.flatMap(Transcriber, ({ readiness }) => readiness).pipe(
    Effect.provide(
      Engines.transcriber([name], { ...settings, installs: false }).pipe(
        Layer.provide(NodeCrypto.layerSecureRandom)
      )
    ),
    Effect.map((readiness) => ({ name, readiness })),
    Effect.scoped
  )

const asked = {
  openai: ": whether its server answers is found out by the first job",
  auto: "",
  pocketsphinx: "",
  whisper: ""
} as const satisfies Readonly<Record<TranscriberName, string>>

type Said = Effect.Success<ReturnType<typeof readinessOf>>

/** An engine that is missing is a failure only where nothing else does its work. */
const engineFinding = ({ name, readiness }: Said, isAnyReady: boolean): Finding => {
  const what = `engine ${name}`
  if (readiness._tag === "Ready") return ok(what, `${readiness.engine}${asked[name]}`)
  if (name === "auto") {
    return warning(what, `${readiness.sentence} The server fetches it when it starts.`)
  }
  return isAnyReady ? warning(what, readiness.sentence) : failed(what, readiness.sentence)
}

/** The engines of a process that works. */
export const engineCheck = (settings: Configuration): Check => ({
  what: "engines",
  look: settings.roles.has("worker")
    ? Effect.map(
        Effect.forEach(settings.transcribers, (name) => readinessOf(name, settings)),
        (all) => {
          const isAnyReady = all.some(({ readiness }) => readiness._tag === "Ready")
          return all.map((said) => engineFinding(said, isAnyReady))
        }
      )
    : Effect.succeed([ok("engines", "none is needed: VERBATIM_ROLES is http")])
})

/** What makes audio of media. */
export const decoderCheck: Check = {
  what: "decoder",
  look: Effect.map(Ffmpeg.find(), (found) => {
    switch (found._tag) {
      case "System":
        return [ok("decoder", `ffmpeg of the system: ${found.path}`)]
      case "Wasm":
        return [warning("decoder", "ffmpeg as WebAssembly, several times slower: install ffmpeg")]
      case "Missing":
        return [failed("decoder", "there is no ffmpeg: install it, or the package @ffmpeg/core")]
    }
  })
}

/** With less, an operator should look: some large uploads, and models of a few hundred MB. */
const comfortable = 1_073_741_824

const format = (bytes: number): string =>
  ByteSize.format(ByteSize.bytes(bytes), { system: "decimal" })

/** The folder, or the one above it that is there. */
const existing = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existing(dirname(path))

const room = (name: string, path: string, bytes: number): Finding => {
  const what = `disk of ${name}`
  const left = `${format(bytes)} left in ${path}`
  return Option.match(Disks.shortage(bytes), {
    onSome: (lack) => failed(what, `${lack} in ${path}: free up space`),
    onNone: () => (bytes < comfortable ? warning(what, `${left}: free up space`) : ok(what, left))
  })
}

const disk = ({ name, path }: Disks.Place) =>
  Effect.map(Disks.freeBytes(path), (free): Finding => {
    const there = existing(path)
    if (!isWritable(there)) {
      return failed(`disk of ${name}`, `this user may not write into ${there}`)
    }
    return Option.match(free, {
      onNone: () => warning(`disk of ${name}`, `${there} does not say how much room is left`),
      onSome: (bytes) => room(name, path, bytes)
    })
  })

/** Each folder that this process writes into, as a check of its own: one disk may hang. */
export const diskChecks = (settings: Configuration): ReadonlyArray<Check> =>
  [...Disks.placesOf(settings), { name: "the cache", path: settings.cacheDirectory }].map(
    (place) => ({ what: `disk of ${place.name}`, look: Effect.map(disk(place), (row) => [row]) })
  )
