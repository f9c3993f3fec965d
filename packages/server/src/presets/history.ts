/**
 * `verbatim presets versions|history|erase|remove`: shows a preset's versions and history, erases
 * content, and removes presets.
 */
import type { Answer } from "@verbatim/client"
import type { StoredPreset } from "@verbatim/core/preset"
import { Effect, Stream } from "effect"
import { Flag } from "effect/cli"
import { call, callEach, pageMax } from "../command/ApiCalls.ts"
import { makeApiCommand } from "../command/ApiFlags.ts"
import { printable } from "../command/operation.ts"
import { mustFind } from "./PresetCalls.ts"
import { labelFlag, slugArgument, versionArgument } from "./ReferenceArgument.ts"

const all = { limit: pageMax }

/** Lists the names of the pointers to a version. */
const pointersOf = (found: StoredPreset, version: number): ReadonlyArray<string> => [
  ...(version === found.designatedVersion ? ["designated"] : []),
  ...[...found.labels].flatMap(([label, at]) => (at === version ? [label] : []))
]

type ListedVersion = Answer<"presets.versions">["data"][number]

interface PointedVersion extends ListedVersion {
  readonly pointers: ReadonlyArray<string>
}

const rowOf = (listed: PointedVersion) => ({
  version: `${listed.version}`,
  pointers: listed.pointers.join(", "),
  created: listed.created_at,
  by: printable(listed.creator_id),
  erased: listed.erased_at ?? "",
  comment: printable(listed.comment ?? "")
})

export const versions = makeApiCommand("versions", {
  description: "List a preset's versions, and what points to each",
  flags: { slug: slugArgument },
  run: ({ slug }) =>
    Stream.unwrap(
      Effect.map(mustFind(slug), (found) =>
        callEach(({ presets }) => presets.versions(slug, all)).pipe(
          Stream.map((each) => ({ ...each, pointers: pointersOf(found, each.version) }))
        )
      )
    ),
  text: { row: rowOf }
})

const describePointer = (version: number | null): string =>
  version === null ? "nothing" : `${version}`

type Move =
  | Answer<"presets.designations">["data"][number]
  | Answer<"presets.labels.moves">["data"][number]

const describeMove = (move: Move): string => {
  const [at, by] =
    "moved_at" in move ? [move.moved_at, move.moved_by] : [move.designated_at, move.designated_by]
  return `${at}  ${describePointer(move.from)} → ${describePointer(move.to)}  by ${printable(by)}`
}

/** Shows how the designation or a label was moved. */
export const history = makeApiCommand("history", {
  description: "Show who designated versions or moved a label, and when",
  flags: {
    slug: slugArgument,
    label: labelFlag.pipe(
      Flag.withDescription("Show the history of this label instead of the designation")
    )
  },
  run: ({ label, slug }) => {
    const moves = callEach<Move>(({ presets }) =>
      label === null ? presets.designations(slug, all) : presets.labels.moves(slug, label, all)
    )
    return Stream.unwrap(Effect.as(mustFind(slug), moves))
  },
  text: describeMove
})

export const erase = makeApiCommand("erase", {
  description: "Permanently erase the content of a version that nothing points to",
  flags: { slug: slugArgument, version: versionArgument },
  run: ({ slug, version }) => call(({ presets }) => presets.erase(slug, version)),
  text: (_, { slug, version }) => `${slug}: the content of version ${version} is erased.`
})

export const remove = makeApiCommand("remove", {
  description: "Permanently remove an archived preset and all its versions",
  flags: { slug: slugArgument },
  run: ({ slug }) => call(({ presets }) => presets.remove(slug)),
  text: (_, { slug }) => `Removed ${slug}. Its name is free again.`
})
