/** Examples of live events, and of why nobody listens or waits. */
import { always, makeRefusals } from "./RefusalExamples.ts"

/** Why somebody may not listen. */
export const listeners = {
  ...always,
  400: makeRefusals({
    place: "Invalid Last-Event-ID: it is no id of an event of this stream"
  }),
  429: makeRefusals({
    workspace: "Too many listeners of the workspace at the same time",
    busy: "Too many requests at the same time"
  })
}

/** Why nobody waits for a status. */
export const waits = {
  400: makeRefusals({ wait: "Invalid 'wait' value. Must be an integer from 0 to 60" }),
  429: makeRefusals({
    workspace: "Too many listeners of the workspace at the same time",
    busy: "Too many requests at the same time"
  })
}

const streamedId = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"

const accepted =
  `{"id":"${streamedId}","revision":1,"at":"2026-01-02T03:04:05.678Z","about":"job",` +
  `"event":"accepted"}`

/** What is told, as it travels. */
export const streams = {
  one: [
    "retry: 2000",
    "",
    "id: 1.0",
    "event: event",
    `data: ${accepted}`,
    "",
    "event: progress",
    `data: {"id":"${streamedId}","progress":0.25}`,
    "",
    "id: 3.end",
    "event: end",
    `data: {"id":"${streamedId}"}`,
    "",
    ""
  ].join("\n"),
  all: [
    "retry: 2000",
    "",
    `id: w1f3x.5120.${streamedId}.1.0`,
    "event: event",
    `data: ${accepted}`,
    "",
    ""
  ].join("\n")
}
