/** The language of a recording when none was given: the one in which most was heard. Pure. */
import { languageCode, undetermined } from "@verbatim/core/transcription"
import { languageOfScript } from "../LanguageOfScript.ts"
import type { Heard } from "./TranscriptionAnswer.ts"

const textOf = ({ segments }: Heard): string => segments.map(({ text }) => text).join(" ")

/**
 * Its code, whether one may ask for it or not. Where the server reports none, the script of the
 * text decides.
 */
export const languageOf = (pieces: ReadonlyArray<Heard>): string => {
  const characters = new Map<string | undefined, number>()
  for (const heard of pieces) {
    const told = heard.language?.trim() ?? ""
    const language = told === "" ? undefined : languageCode(told)
    characters.set(language, (characters.get(language) ?? 0) + textOf(heard).length)
  }
  const [most] = [...characters].toSorted(([, one], [, other]) => other - one)
  if (most === undefined) return undetermined
  const [language] = most
  return language ?? languageOfScript(pieces.map(textOf).join(" "))
}
