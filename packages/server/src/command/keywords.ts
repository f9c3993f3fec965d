/**
 * `verbatim workspaces keywords`: the words and names that a workspace expects in each recording.
 */
import { fromText, type Keywords, keywordsRule, readKeywords } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { asOperator, operatorFlags } from "./ApiFlags.ts"
import { print, printable, quoted, workspaceArgument } from "./operation.ts"
import { change } from "./standing.ts"

/** Takes all of them away. One that is called so is written as JSON. */
const none = "none"

const read = (text: string): Option.Option<Keywords> =>
  text === none ? Option.some([]) : readKeywords(fromText(text))

const toFlag = Flag.String("to").pipe(
  Flag.withDescription(
    `All of them: separated by commas, or a list in JSON where one has a comma; or ${none}`
  ),
  Flag.filterMap(read, () => `${keywordsRule}; or ${none}`)
)

/** The keywords on one line; nothing where there are none. */
export const showKeywords = (keywords: ReadonlyArray<string>): string =>
  keywords.map((word) => (word.includes(",") ? quoted(word) : printable(word))).join(", ")

/** Gives a workspace keywords instead of those that it has. */
export const keywords = Command.make(
  "keywords",
  { id: workspaceArgument, to: toFlag, ...operatorFlags },
  Effect.fn(function* ({ id, json, to, url }) {
    const command = Effect.flatMap(change(id, { keywords: to }), (changed) =>
      print(
        json,
        changed,
        ({ id, keywords }) => `${id}: ${showKeywords(keywords) || "no keywords"}.`
      )
    )
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Set the words and names that a workspace expects in recordings"))
