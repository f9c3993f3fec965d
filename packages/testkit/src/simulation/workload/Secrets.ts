/**
 * An operator who gives the workspace webhook secrets, and rotates them when the weather says so.
 */

import { Workspaces } from "@verbatim/core/services"
import type { WebhookSecret, WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Exit, Redacted } from "effect"
import type { World } from "../world/World.ts"
import type { Answer } from "./Asking.ts"
import { type Clients, mayBeDone } from "./Clients.ts"

const rotationMax = 2
const pauseMaxMillis = 60_000

/** How long two secrets sign side by side. */
const overlapMaxMillis = 50_000

/** Tells the auditor of a secret. */
export const note = (
  { facts, timeline }: World,
  { beganAt, secret }: { readonly secret: WebhookSecret; readonly beganAt: number },
  isCertain: boolean
): void => {
  const asked = { beganAt, endedAt: timeline.now() }
  const text = Redacted.value(secret.secret)
  facts.push({ _tag: "SecretGiven", secret: text, isCertain, ...asked })
}

/** Makes new secrets, and removes the oldest one that it knows. */
export const rotate = Effect.fnUntraced(function* (
  { ask, world }: Clients,
  id: WorkspaceId,
  first: ReadonlyArray<WebhookSecret>
) {
  const { dice, facts, faults, timeline, trace } = world
  const chance = dice("secrets")
  const known = [...first]
  for (let count = 0; count < rotationMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
    if (!faults.strikes("secrets are rotated", "operator")) continue
    const beganAt = timeline.now()
    const added: Answer<WebhookSecret, unknown> = yield* ask(
      Effect.flatMap(Workspaces, ({ addWebhookSecret }) => addWebhookSecret(id))
    )
    const made = added !== null && Exit.isSuccess(added) ? added.value.id : null
    facts.push({ _tag: "Issued", kind: "secret", id: made, isOpen: mayBeDone(added) })
    if (added === null || Exit.isFailure(added)) continue
    known.push(added.value)
    note(world, { secret: added.value, beganAt }, true)
    yield* Effect.sleep(Duration.millis(chance.below(overlapMaxMillis)))
    const oldest = known.shift()
    if (oldest === undefined) continue
    const since = timeline.now()
    const removed = yield* ask(
      Effect.flatMap(Workspaces, (each) => each.removeWebhookSecret(id, oldest.id))
    )
    const isDone = removed !== null && Exit.isSuccess(removed)
    facts.push({ _tag: "Withdrawn", id: oldest.id, isDone })
    facts.push({
      _tag: "SecretTaken",
      secret: Redacted.value(oldest.secret),
      isCertain: isDone,
      beganAt: since,
      endedAt: timeline.now()
    })
    trace.add("operator", "takes the oldest secret away")
  }
})
