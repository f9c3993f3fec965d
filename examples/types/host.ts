/**
 * Uses types that a host infers without naming them. This file is compiled with declarations
 * against the published packages, so that the packages must export each inferred type.
 */
import {
  drainFirst,
  Heartbeat,
  Jobs,
  MediaCollection,
  MediaIdentity,
  Presets,
  Services,
  Submissions,
  Worker,
  Workspaces
} from "@verbatim/core"
import * as Embed from "@verbatim/embed"
import * as Engines from "@verbatim/embed/engines"
import * as Http from "@verbatim/http"
import { Effect } from "effect"

export const services = Effect.all([Jobs, MediaIdentity, Presets, Submissions, Workspaces])
export const activity = Effect.flatMap(Worker, (worker) => worker.activity)
export const layers = [Services.layer, drainFirst, Heartbeat.layer, MediaCollection.layer] as const
export const { Api, Health, layer, routes, UnreadLimits } = Http
export const { open } = Embed
export const { openai, pocketsphinx } = Engines

export const embedded = async () => {
  const verbatim = await open({ database: "memory:", transcribe: pocketsphinx() })
  const { fetch, handler, presets, transcriptions, within, workspaces } = verbatim
  return { fetch, handler, presets, transcriptions, within, workspaces }
}

export const operations = Effect.gen(function* () {
  const { create, designate, diff, get, list, preview, resolve, revise, versions } = yield* Presets
  const { history, remove, retry, status } = yield* Jobs
  const presets = { create, designate, diff, get, list, preview, resolve, revise, versions }
  return { presets, jobs: { history, remove, retry, status } }
})
