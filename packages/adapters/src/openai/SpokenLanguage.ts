/** The language of a recording when none was given: the one in which most was heard. Pure. */
import type { Language } from "@verbatim/core/transcription"
import { Result } from "effect"
import { printable } from "./Complaint.ts"
import { languageFrom, languageOfScript } from "./LanguageName.ts"
import type { Heard } from "./TranscriptionAnswer.ts"

/** No language has a longer name. */
const nameCharacterMax = 40

const textOf = ({ segments }: Heard): string => segments.map(({ text }) => text).join(" ")

/**
 * The accepted language, or the server's name for one that is not accepted. Where the server
 * reports none, the script of the text decides; where nothing was heard, it does not matter.
 */
export const languageOf = (pieces: ReadonlyArray<Heard>): Result.Result<Language, string> => {
  const characters = new Map<string, number>()
  for (const heard of pieces) {
    const { length } = textOf(heard)
    if (length === 0) continue
    const told = heard.language ?? ""
    const key = languageFrom(told) ?? printable(told).slice(0, nameCharacterMax)
    characters.set(key, (characters.get(key) ?? 0) + length)
  }
  const [most] = [...characters].toSorted(([, one], [, other]) => other - one)
  if (most === undefined) return Result.succeed("en")
  const [name] = most
  if (name === "") return Result.succeed(languageOfScript(pieces.map(textOf).join(" ")))
  const language = languageFrom(name)
  return language === undefined ? Result.fail(name) : Result.succeed(language)
}
