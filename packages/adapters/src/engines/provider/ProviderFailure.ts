/**
 * What it means for the work that a provider gave no usable answer.
 */
import { Failure } from "@verbatim/core/attempt"
import type { Recognition } from "@verbatim/core/ports"
import { failure } from "../EngineFailure.ts"
import type { ProviderError } from "./ProviderError.ts"

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

/** The failure that any engine behind a provider reports. */
export const toFailure = ({ reason }: ProviderError) => {
  const { detail } = reason
  switch (reason._tag) {
    case "Refused":
      return EngineRefused.make({ detail })
    case "Barred":
    case "Unavailable":
      return EngineUnavailable.make({ detail })
    case "Malformed":
      return EngineFailed.make({ detail })
  }
}

/** What servers write about a language they do not know, and not about models of language. */
const aboutLanguage = /\blanguages?\b(?! model)/i

/** The same for recognition, where a refusal may be about the language that was asked for. */
export const toTranscriberError = (
  error: ProviderError,
  { language }: Pick<Recognition, "language">
) => {
  const { _tag, detail } = error.reason
  const isRefusal = _tag === "Refused" || _tag === "Barred"
  return isRefusal && language !== null && aboutLanguage.test(detail)
    ? failure(LanguageUnsupported.make({ language }))
    : failure(toFailure(error))
}

/** The audio could not be read. */
export const toStorageError = (error: unknown) =>
  failure(StorageFailed.make({ detail: error instanceof Error ? error.name : `${error}` }))
