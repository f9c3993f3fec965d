/**
 * Recognises each recording with the best installed model for its language and this machine. The
 * engine's name in the job's history says which model was chosen, and why.
 */
import { Failure } from "@verbatim/core/attempt"
import { Readiness, type Recognition, Transcriber, trace } from "@verbatim/core/ports"
import type { Language } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { failure } from "../engines/provider/ProviderFailure.ts"
import type { SpeechModel } from "./Model.ts"
import { type ChoiceOptions, choosable, rankModels } from "./ModelChoice.ts"
import { presence } from "./ModelFolder.ts"
import * as WhisperTranscriber from "./WhisperTranscriber.ts"

const { EngineUnavailable, LanguageUnsupported } = Failure.cases

/** Options for the transcriber. */
export type AutomaticOptions = Omit<WhisperTranscriber.RecogniserOptions, "model"> & ChoiceOptions

/** Finds the best model for a language, and the best installed model. */
export const findModels = Effect.fnUntraced(function* (
  language: Language | null,
  options: ChoiceOptions & { readonly folder: string }
) {
  const ranked = rankModels(language, options)
  const [installed] = yield* Effect.filter(ranked, (model) =>
    Effect.map(presence(options.folder, model), (state) => state === "installed")
  )
  return { best: ranked[0], installed }
})

/** Appends the reason why the model was chosen to the engine's name. */
const nameChoice = (
  engine: string,
  choice: { readonly language: Language | null; readonly missing: SpeechModel | undefined }
): string => {
  const { language, missing } = choice
  const better = missing === undefined ? "" : `; ${missing.name} is not installed`
  return `${engine} (chosen for ${language ?? "an unknown language"}${better})`
}

/** Creates the transcriber that chooses from all models. */
export const make = Effect.fnUntraced(function* (options: AutomaticOptions) {
  const engines = new Map<SpeechModel, Transcriber["Service"]>()
  for (const model of choosable(options.catalogue)) {
    engines.set(model, yield* WhisperTranscriber.make({ ...options, model }))
  }

  const choose = Effect.fnUntraced(function* (language: Language | null) {
    const { best, installed } = yield* findModels(language, options)
    const missing = installed === best ? undefined : best
    return {
      engine: installed && engines.get(installed),
      name: (engine: string) => nameChoice(engine, { language, missing }),
      sentence: WhisperTranscriber.notInstalledMessage({ name: best?.name ?? "base" })
    }
  })

  const transcribe = trace("AutomaticTranscriber.transcribe")(function* (recognition: Recognition) {
    const { language } = recognition
    const { engine, name, sentence } = yield* choose(language)
    if (engine !== undefined) {
      const recognised = yield* engine.transcribe(recognition)
      return { ...recognised, engine: name(recognised.engine) }
    }
    const isOther = language !== null && (yield* choose(null)).engine !== undefined
    return yield* isOther
      ? failure(LanguageUnsupported.make({ language }))
      : failure(EngineUnavailable.make({ detail: sentence }))
  })

  const readiness = Effect.gen(function* () {
    const { engine, name, sentence } = yield* choose(null)
    if (engine === undefined) return Readiness.cases.Unavailable.make({ sentence })
    const state = yield* engine.readiness
    return state._tag === "Ready"
      ? Readiness.cases.Ready.make({ engine: name(state.engine) })
      : state
  })

  return Transcriber.of({ readiness, transcribe })
})
