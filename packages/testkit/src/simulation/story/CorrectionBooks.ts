/** What the stores have of corrected transcripts at the end of a run. */
import { JobId } from "@verbatim/core/attempt"
import { CorrectionStore, JobStore, type Stores } from "@verbatim/core/ports"
import { Context, Effect, Option } from "effect"
import { factsOf } from "../record/Facts.ts"
import type { World } from "../world/World.ts"

/** More versions than any run makes. */
const page = { before: Option.none<number>(), limit: 1_000 }

/** Reads each transcript that somebody wanted to correct, with all versions of its corrections. */
export const readCorrections = Effect.fnUntraced(function* (
  { facts }: World,
  stores: Context.Context<Stores>
) {
  const store = Context.get(stores, CorrectionStore)
  for (const text of new Set(factsOf(facts, "CorrectionAsked").map((asked) => asked.id))) {
    const id = JobId.make(text)
    const transcript = yield* Context.get(stores, JobStore).transcript(id)
    if (Option.isNone(transcript)) continue
    const latestFirst = yield* store.versions(id, page)
    const versions = yield* Effect.forEach(latestFirst.toReversed(), ({ backTo, version }) =>
      Effect.map(store.version(id, version), (found) => ({
        version,
        backTo,
        changed: JSON.stringify(Option.getOrNull(found))
      }))
    )
    const recognised = JSON.stringify(transcript.value)
    facts.push({ _tag: "CorrectionsListed", id, recognised, versions })
  }
})
