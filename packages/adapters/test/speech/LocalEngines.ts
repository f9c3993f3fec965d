/** Lists all engines that can run on this machine, and why the others cannot. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"
import { fileURLToPath } from "node:url"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { cacheFolder } from "@verbatim/adapters/engines"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import * as Whisper from "@verbatim/adapters/whisper"
import { Transcriber } from "@verbatim/core/ports"
import type { DecodedAudio, Language } from "@verbatim/core/transcription"
import { Duration, Effect, type Layer, Option, Schedule } from "effect"

/** The folders that the server uses: its defaults, or those that its variables name. */
export const cacheDirectory = env.VERBATIM_CACHE_DIR || cacheFolder()
const fetched = fileURLToPath(new URL("../../../../.verbatim/models", import.meta.url))
const standard = existsSync(fetched) ? fetched : join(cacheDirectory, "models")

/** The folder of the models: that of `npm run models` if it was run, or else the server's. */
export const modelDirectory = env.VERBATIM_MODELS || standard

/** The source from which models are downloaded, as in the server. */
export const modelSource = Whisper.ModelSource.fromText(
  env.VERBATIM_MODEL_SOURCE || Whisper.ModelSource.defaultText
)

/** An engine, or the reason why it cannot run. */
type LocalEngine =
  | { readonly name: string; readonly layer: Layer.Layer<Transcriber> }
  | { readonly name: string; readonly missing: string }

const silently = () => Effect.void

const pocketsphinx = Effect.map(
  Pocketsphinx.Installation.find({ cacheDirectory }),
  (found): LocalEngine => {
    const name = "PocketSphinx"
    return Option.isNone(found)
      ? { name, missing: "not installed: verbatim engines install" }
      : {
          name,
          layer: Pocketsphinx.layer({ cacheDirectory, installs: false, report: silently })
        }
  }
).pipe(Effect.provide(nodeServices))

const modelEngine = Effect.fnUntraced(function* (model: Whisper.Model) {
  const { name } = model
  const presence = yield* Whisper.ModelFolder.presence(modelDirectory, model)
  const engine: LocalEngine =
    presence === "installed"
      ? {
          name,
          layer: Whisper.layer({
            ...{ modelDirectory, model: name, installs: false, report: silently },
            modelSource,
            guard: { allowedNetworks: [] }
          })
        }
      : { name, missing: `${presence}: verbatim engines install ${name}` }
  return engine
})

/** Returns all engines that run on this machine. */
export const listEngines = Effect.gen(function* () {
  const models = (yield* Whisper.ModelFolder.catalogue(modelDirectory)).filter(Whisper.isSpeech)
  return [yield* pocketsphinx, ...(yield* Effect.forEach(models, modelEngine))]
})

/** Waits until the engine is ready, and recognises a recording. */
export const recognise = Effect.fnUntraced(function* (options: {
  readonly audio: DecodedAudio
  readonly language?: Language
  readonly keywords?: ReadonlyArray<string>
  readonly isDiarized?: boolean
  /** Whether to remove silence. Default: true. */
  readonly isVadFiltered?: boolean
}) {
  const { audio, isDiarized = false, isVadFiltered = true } = options
  const { keywords = [], language = null } = options
  const { readiness, transcribe } = yield* Transcriber
  yield* Effect.repeat(readiness, {
    while: ({ _tag }) => _tag === "Preparing",
    schedule: Schedule.spaced(Duration.millis(50))
  })
  return yield* transcribe({
    ...{ audio, language, initialPrompt: null, isVadFiltered, isDiarized },
    ...(keywords.length > 0 && { keywords })
  })
})
