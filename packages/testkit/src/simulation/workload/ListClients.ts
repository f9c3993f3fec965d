/**
 * Clients that list the jobs of their workspace, page by page, while jobs come and go.
 */

import { type JobPage, LegacyStatus, type ListedJob } from "@verbatim/core/job"
import { Jobs } from "@verbatim/core/services"
import { Duration, Effect, Exit } from "effect"
import type { Entry } from "../record/Facts.ts"
import type { Answer } from "./Asking.ts"
import { asBearer, type Clients, type Key } from "./Clients.ts"

const pauseMaxMillis = 40_000

/** Between two pages, so that much happens in between. */
const turnMaxMillis = 3_000

/** Few jobs on a page, so that there are several. */
const limitMax = 3

/** A walk of more pages than this goes round in circles. */
const pageMax = 60

/** The share of walks that go through all jobs. */
const wholeChance = 0.7

/** What the auditor judges of a job in a list. */
export const entryOf = (listed: Pick<ListedJob, "callback_id" | "id" | "status">): Entry => {
  const { callback_id = "", id, status } = listed
  return { id, status, marker: /^m\d+$/.test(callback_id) ? callback_id : null }
}

/** Goes through a whole list, once. A page without an answer is asked for again. */
const walk = Effect.fnUntraced(function* (clients: Clients, key: Key, name: string) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(name)
  const status = chance.chance(wholeChance) ? null : chance.pick(LegacyStatus.literals)
  const limit = String(chance.between(1, limitMax))
  const entries: Array<Entry> = []
  const beganAt = timeline.now()
  let cursor = ""
  for (let pages = 0; pages < pageMax && timeline.now() < clients.deadline(); pages++) {
    const answer: Answer<JobPage, unknown> = yield* asBearer(clients, key, {
      question: (principal) =>
        Effect.flatMap(Jobs, (jobs) =>
          jobs.list(principal, { cursor, limit, status: status ?? undefined })
        )
    })
    if (answer !== null && Exit.isSuccess(answer)) {
      entries.push(...answer.value.data.map(entryOf))
      const { next_cursor } = answer.value
      if (next_cursor === null) {
        const asked = { beganAt, endedAt: timeline.now() }
        trace.add("client", `lists ${status ?? "all"}: ${entries.map(({ id }) => id).join(", ")}`)
        facts.push({ _tag: "Listed", status, entries, ...asked })
        return
      }
      cursor = next_cursor
    }
    yield* Effect.sleep(Duration.millis(chance.below(turnMaxMillis)))
  }
})

/** Lists the jobs now and then. */
export const stroll = Effect.fnUntraced(function* (clients: Clients, key: Key, walks: number) {
  const chance = clients.world.dice("walks")
  for (let count = 0; count < walks; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
    yield* walk(clients, key, `walk ${count}`)
  }
})
