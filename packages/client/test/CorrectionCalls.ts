/** Calls of the operations on corrections, and what calls of operations are made with. */
import type { VerbatimClient } from "@verbatim/client"

/** What operations are about: made before the first one. */
export interface Subjects {
  readonly failed: string
  readonly delivered: string
  readonly workspace: string
}

/** A client for each kind of key. */
export interface Callers {
  readonly member: VerbatimClient
  /** It has the scope of a label. */
  readonly gatekeeper: VerbatimClient
  readonly operator: VerbatimClient
}

/** Calls one operation. */
export type Call = (
  callers: Callers,
  subjects: Subjects
) => Promise<{ readonly response: Response }>

/** One call for each operation on corrections, in the order in which they make sense. */
export const corrections = {
  "corrections.nameSpeakers": ({ member }, { delivered: id }) =>
    member.PUT("/transcriptions/{id}/speakers", {
      params: { path: { id } },
      body: { speaker_0: "Ana" }
    }),
  "corrections.correctSegments": ({ member }, { delivered: id }) =>
    member.PATCH("/transcriptions/{id}/segments", {
      params: { path: { id } },
      body: [{ index: 0, text: "Hello." }]
    }),
  "corrections.list": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}/corrections", { params: { path: { id } } }),
  "corrections.get": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}/corrections/{version}", {
      params: { path: { id, version: 1 } }
    }),
  "corrections.goBack": ({ member }, { delivered: id }) =>
    member.PUT("/transcriptions/{id}/corrections/current", {
      params: { path: { id } },
      body: { version: 0 }
    })
} satisfies Record<string, Call>
