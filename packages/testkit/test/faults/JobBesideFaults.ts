/** Adapters that are wrong about what a job store keeps besides its jobs. */
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { doAfterRefusal, plantFaults } from "./Fault.ts"

export const jobBesideFaults = plantFaults(JobStore, {
  "keeps the body that a webhook sent, until it is forgotten": {
    "keeps the body of an earlier delivery": ({ commit, keptBody }) => ({
      commit: (change) =>
        Effect.flatMap(keptBody(change.next.id), (kept) =>
          commit(Option.isSome(kept) ? { ...change, body: Option.none() } : change)
        )
    })
  },
  "keeps no body of a commit that is refused": {
    "keeps the body of a commit that it refuses": ({ commit }, { jobs }) => ({
      commit: doAfterRefusal(commit, ({ body, next: { id } }) => {
        const row = jobs.get(id)
        if (row === undefined || Option.isNone(body) || body.value._tag !== "Keep") return
        jobs.set(id, { ...row, keptBody: Option.some(body.value.body) })
      })
    })
  },
  "takes away the text of a job, also where its history repeats it, and nothing else": {
    "leaves the text of a summary in the history": ({ commit }) => ({
      commit: (change) =>
        commit(change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } })
    })
  },
  "has no media store at first, and then the first of many that come at once": {
    "belongs to the media store that came last": ({ adoptMedia }) => ({
      adoptMedia: ({ marker }) => adoptMedia({ marker, isReplacing: true })
    })
  },
  "takes another media store where the first is to be replaced": {
    "keeps its first media store for ever": ({ adoptMedia }) => ({
      adoptMedia: ({ marker }) => adoptMedia({ marker, isReplacing: false })
    })
  },
  "has one identity, is no copy of itself, and was made before now": {
    "has another identity once it has a media store": ({ mediaMark }) => ({
      mediaMark: Effect.map(mediaMark, (mark) =>
        Option.isNone(mark.marker) ? mark : { ...mark, identity: "another" }
      )
    })
  }
})
