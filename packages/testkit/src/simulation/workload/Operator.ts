/**
 * An operator, who revokes keys and adds credits. Each credit is retried until there is a response.
 */

import { ApiKeys, Workspaces } from "@verbatim/core/services"
import type { ApiKeyId, WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Exit } from "effect"
import type { Answer } from "./ClientCall.ts"
import { type Clients, type Key, mayBeDone } from "./Clients.ts"

/** In some runs, revokes a key at a random time. */
export const revoke = Effect.fnUntraced(function* (
  { call, world }: Clients,
  key: Key & { readonly id: ApiKeyId }
) {
  const { facts, faults, timeline } = world
  yield* Effect.sleep(Duration.millis(world.dice("revocation").below(90_000)))
  if (!faults.strikes("key is revoked", "operator")) return
  const answer = yield* call(Effect.flatMap(ApiKeys, (keys) => keys.revoke(key.id)))
  if (answer === null || Exit.isFailure(answer)) return
  facts.push({ _tag: "Revoked", key: key.name, at: timeline.now() })
})

const creditMax = 3

/** Number of unanswered calls after which an operator stops trying. */
const tryMax = 4

const pauseMaxMillis = 5_000

/** In some runs, adds and subtracts minutes. */
export const credit = Effect.fnUntraced(function* ({ call, world }: Clients, id: WorkspaceId) {
  const chance = world.dice("credits")
  for (let count = 0; count < creditMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(40_000)))
    if (!world.faults.strikes("balance changes", "operator")) continue
    const minutes = chance.between(-30, 30)
    // Retries the same credit until its outcome is known.
    const gift = { minutes, creditId: `credit ${count}` }
    const operation = Effect.flatMap(Workspaces, (each) => each.credit(id, gift))
    let answer: Answer<number, unknown> = yield* call(operation)
    for (let again = 0; again < tryMax && mayBeDone(answer); again++) {
      yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
      answer = yield* call(operation)
    }
    const isCertain = answer !== null && Exit.isSuccess(answer)
    world.facts.push({ _tag: "Credited", millis: minutes * 60_000, isCertain })
  }
})
