/** The engines that an operator can name, and the order of preference. */
import { Array } from "effect"

export const transcriberNames = ["auto", "whisper", "openai", "pocketsphinx"] as const
export const summarizerNames = ["auto", "lexrank", "openai"] as const

export type TranscriberName = (typeof transcriberNames)[number]
export type SummarizerName = (typeof summarizerNames)[number]

/** Engines in order of preference. */
export type TranscriberNames = Array.NonEmptyReadonlyArray<TranscriberName>

const splitNames = (list: string): ReadonlyArray<string> => list.split(",").map((n) => n.trim())

const isTranscriberName = (name: string): name is TranscriberName =>
  transcriberNames.some((known) => known === name)

/** Whether a text lists engines, each once. */
export const isTranscribers = (list: string): boolean => {
  const names = splitNames(list)
  return names.every(isTranscriberName) && new Set(names).size === names.length
}

/** The engines that a text lists. */
export const toTranscribers = (list: string): TranscriberNames => {
  const names = splitNames(list).filter(isTranscriberName)
  return Array.isReadonlyArrayNonEmpty(names) ? names : ["auto"]
}
