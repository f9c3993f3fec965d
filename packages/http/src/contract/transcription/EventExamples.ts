/** Examples of live events, and of why nobody listens or waits. */
import { always, makeRefusals } from "./RefusalExamples.ts"

/** As many listen or wait as may. */
const crowded = {
  429: makeRefusals({
    workspace: "Too many listeners of the workspace at the same time",
    busy: "Too many requests at the same time"
  }),
  503: makeRefusals({ full: "Too many listeners" })
}

/** Why somebody may not listen. */
export const listeners = {
  ...always,
  ...crowded,
  400: makeRefusals({
    place: "Invalid Last-Event-ID: it is no id of an event of this stream"
  })
}

/** Why nobody waits for a status. */
export const waits = {
  ...crowded,
  400: makeRefusals({ wait: "Invalid 'wait' value. Must be an integer from 0 to 60" })
}

const streamedId = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"

const accepted =
  `{"id":"${streamedId}","revision":1,"at":"2026-01-02T03:04:05.678Z","about":"job",` +
  `"event":"accepted"}`

/** Where the first and the last event of a stream are, and what the last one is. */
type Shown = Readonly<Record<"ending" | "first" | "last", string>>

const makeStream = ({ ending, first, last }: Shown): string =>
  [
    "retry: 2000",
    "",
    `id: ${first}`,
    "event: event",
    `data: ${accepted}`,
    "",
    "event: progress",
    `data: {"id":"${streamedId}","progress":0.25}`,
    "",
    `id: ${last}`,
    `event: ${ending}`,
    `data: {"id":"${streamedId}"}`,
    "",
    ""
  ].join("\n")

/** What is told, as it travels. */
export const streams = {
  one: makeStream({ first: "1.0", last: "3.end", ending: "end" }),
  all: makeStream({
    first: `w1f3x.5120.${streamedId}.1.0`,
    last: `w1f3x.5131.${streamedId}.4.end`,
    ending: "deleted"
  })
}
