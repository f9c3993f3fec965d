/** Stores that lose corrections, mix them, keep them too long, or let a writer past another. */
import { noCorrections } from "@verbatim/core/correction"
import { CorrectionStore, type Stores } from "@verbatim/core/ports"
import { correctionId } from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { type Fault, plantFaults } from "./Fault.ts"

/** Stores of corrections with a fault. */
export const correctionStoreFaults: ReadonlyArray<Fault<Stores>> = plantFaults(CorrectionStore, {
  "keeps each version, and everything as the last one left it": {
    "forgets which segments a version changed": ({ version }) => ({
      version: (id, number) =>
        Effect.map(
          version(id, number),
          Option.map((found) => ({ ...found, segments: [] }))
        )
    })
  },
  "knows everything that was corrected at each version": {
    "tells what stands now": ({ current }) => ({
      overlayAt: (id) =>
        Effect.map(
          current(id),
          Option.match({ onNone: () => noCorrections, onSome: ({ overlay }) => overlay })
        )
    })
  },
  "gives versions page by page, the latest first": {
    "begins each page at the latest version": ({ versions }) => ({
      versions: (id, page) => versions(id, { ...page, before: Option.none() })
    })
  },
  "refuses a version that was decided on another one, and writes nothing of it": {
    "writes whatever comes, in place of what is there": ({ commit }, { jobs }) => ({
      commit: (change) =>
        Effect.catch(commit(change), (error) => {
          const row = jobs.get(change.next.id)
          if (error.reason._tag !== "Superseded" || row?.corrections === undefined) {
            return Effect.fail(error)
          }
          const corrections = { ...row.corrections, current: change.next }
          jobs.set(change.next.id, { ...row, corrections })
          return Effect.void
        })
    })
  },
  "writes a version once, however often it is written": {
    "refuses what it has written": ({ commit, version }) => ({
      commit: (change) =>
        Effect.flatMap(version(change.next.id, change.version.version), (found) =>
          commit(
            Option.isSome(found)
              ? { ...change, version: { ...change.version, id: correctionId(999) } }
              : change
          )
        )
    })
  },
  "finds the last version that a request made, by its key": {
    "finds the first one": ({ requested, version }) => ({
      requested: (id, key) =>
        Effect.flatMap(version(id, 1), (first) =>
          Option.isSome(first) && first.value.request?.key === key
            ? Effect.succeed(first)
            : requested(id, key)
        )
    })
  }
})
