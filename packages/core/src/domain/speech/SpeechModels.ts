/**
 * The names under which a caller of `POST /v1/audio/transcriptions` may ask for a model. A server
 * runs the engines that its operator chose, so every name means the same: whatever is set up here.
 */
import { Context } from "effect"

/** What programs that were written for other services ask for, and what they mean here. */
export const usualModels = [
  "whisper-1",
  "gpt-4o-transcribe",
  "gpt-4o-mini-transcribe",
  "gpt-4o-mini-transcribe-2025-12-15",
  "gpt-4o-transcribe-diarize",
  "gpt-transcribe"
] as const

/** The name of whatever engines a server has, for callers who have no other name in mind. */
export const ownModel = "verbatim"

/** The names, the own one first. */
export const SpeechModels: Context.Reference<ReadonlyArray<string>> = Context.Reference(
  "@verbatim/core/speech/SpeechModels",
  { defaultValue: (): ReadonlyArray<string> => [ownModel, ...usualModels] }
)
