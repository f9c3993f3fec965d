/** Filters for a list of presets. */
import { Result, Schema } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import { charactersAtMost } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"
import * as LabelName from "../workspace/LabelName.ts"
import type { State } from "./Preset.ts"
import { type PresetStatus, stateOf } from "./PresetChange.ts"

/** Maximum length of a search text, in code points. */
export const searchMax = 200

/** Text to search for in the list of presets. */
export const SearchText = Schema.String.check(charactersAtMost(searchMax))

/** A filter for the list of presets; by default, all presets are listed. */
export interface PresetFilter {
  readonly status?: PresetStatus | undefined
  /** Only presets with this label. */
  readonly label?: string | undefined
  /**
   * Only presets with this text in the slug, name or description. The case of ASCII letters is
   * ignored.
   */
  readonly text?: string | undefined
}

/** A validated filter for the list of presets. */
export interface ReadFilter {
  readonly state: State["_tag"] | undefined
  readonly label: LabelName.LabelName | undefined
  readonly text: string | undefined
}

const isSearchText = Schema.is(SearchText)

const textRule = `at most ${searchMax} characters, without NUL and halves of characters`

/** Validates a filter for the list of presets. */
export const readFilter = ({
  label,
  status,
  text
}: PresetFilter): Result.Result<ReadFilter, InvalidRequest> => {
  if (text !== undefined && !(isSearchText(text) && isStorable(text))) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "text", rule: textRule }] }))
  }
  const named = label === undefined ? Result.succeed(undefined) : LabelName.decode(label)
  return Result.map(named, (name) => ({ state: status && stateOf[status], label: name, text }))
}
