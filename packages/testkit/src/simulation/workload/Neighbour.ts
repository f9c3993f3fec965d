/** Another workspace with a job in the same store. It shows nowhere except at its own receiver. */

import { JobId } from "@verbatim/core/attempt"
import { DeliveryId } from "@verbatim/core/delivery"
import { createJob, owedWork } from "@verbatim/core/job"
import { JobStore, type Stores } from "@verbatim/core/ports"
import { decodeRequest } from "@verbatim/core/transcription"
import { type Principal, UserId, WorkspaceId } from "@verbatim/core/workspace"
import { Context, DateTime, Effect, Exit, Option } from "effect"
import type { Hosted } from "../ports/Media.ts"
import * as Receivers from "../ports/Receivers.ts"
import * as Recording from "../world/Recording.ts"
import type { World } from "../world/World.ts"

/** A member of the other workspace, who may see nothing of ours. */
export const stranger: Principal = {
  kind: "inference",
  workspaceId: WorkspaceId.make("00000000-0000-4000-8000-000000000000"),
  userId: UserId.make("user_00000000-0000-4000-8000-000000000000")
}

/** No client has that number. */
const marker = "m0"
const durationMillis = 30_000

const id = JobId.make("018bcfe5-6800-7000-8000-000000000000")

/** Its job is there from the beginning, unless the store requires workspaces to exist. */
export const moveIn = Effect.fnUntraced(function* (
  { facts, timeline }: World,
  { hosted, stores }: { readonly stores: Context.Context<Stores>; readonly hosted: Hosted }
) {
  const url = `https://media.example/${marker}.wav`
  const request = yield* Effect.fromResult(
    decodeRequest({
      parameters: { url, callback_url: Receivers.callbackUrl(0, marker), callback_id: marker },
      upload: Option.none(),
      isTextual: true,
      repeated: [],
      templates: new Map()
    })
  )
  const job = createJob({
    id,
    request,
    workspaceId: stranger.workspaceId,
    deliveryId: DeliveryId.make("018bcfe5-6800-7000-8000-000000000001"),
    media: Option.none(),
    at: yield* DateTime.now
  })
  const creation = { job, work: owedWork(job), idempotency: Option.none() }
  const written = yield* Effect.exit(Context.get(stores, JobStore).insert(creation))
  if (Exit.isFailure(written)) return
  hosted.set(url, [Recording.toBytes({ marker, durationMillis, isSilent: false, isLethal: false })])
  facts.push({ _tag: "Foreign", marker, id })
  const none = { modifier: null, summary: null, key: null }
  const submission = { marker, durationMillis, hasCallback: true, ...none }
  facts.push({ _tag: "Submitted", submission, at: timeline.now() })
})
