/** What a worker is made of, composed over the ports. A process has its own. */
import { Layer } from "effect"
import type { Digest, Mac } from "effect/crypto"
import type { JobStore } from "../ports/JobStore.ts"
import type { WebhookSender } from "../ports/WebhookSender.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Commits } from "../services/Commits.ts"
import { Deliveries } from "../services/Deliveries.ts"
import { Notices } from "../services/Notices.ts"
import { Summaries } from "../services/Summaries.ts"
import { Transcriptions } from "../services/Transcriptions.ts"
import { Transcripts } from "../services/Transcripts.ts"
import { Attempts } from "./Attempts.ts"
import { Leases } from "./Leases.ts"

/** Parts that a simulation replaces. */
export interface Parts {
  /** How a worker writes what it did. */
  readonly commits?: Layer.Layer<Commits, never, JobStore>
  /** How a webhook is put together and sent. */
  readonly deliveries?: Layer.Layer<
    Deliveries,
    never,
    Digest.Digest | JobStore | Mac.Mac | Transcripts | WebhookSender | WorkspaceStore
  >
}

/** Attempts, with everything they need except ports. */
export const attempts = ({ commits = Commits.layer, deliveries = Deliveries.layer }: Parts) =>
  Attempts.layer.pipe(
    Layer.provide([
      commits,
      deliveries,
      Leases.layer,
      Notices.layer,
      Summaries.layer,
      Transcriptions.layer
    ]),
    Layer.provide(Transcripts.layer),
    Layer.fresh
  )
