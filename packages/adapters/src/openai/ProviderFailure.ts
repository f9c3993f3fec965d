/**
 * What it means for the work that a provider gave no usable answer.
 */
import { Failure } from "@verbatim/core/attempt"
import type { ProviderError } from "./Provider.ts"

const { EngineFailed, EngineRefused, EngineUnavailable } = Failure.cases

/** The failure that any engine behind a provider reports. */
export const toFailure = ({ reason }: ProviderError) => {
  const { detail } = reason
  switch (reason._tag) {
    case "Refused":
      return EngineRefused.make({ detail })
    case "Unavailable":
      return EngineUnavailable.make({ detail })
    case "Malformed":
      return EngineFailed.make({ detail })
  }
}
