/**
 * Claims of one process, with what it remembers from one to the next.
 */
import { WorkKind } from "@verbatim/core/attempt"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { type Turns, wantedKinds } from "../../sql/work/Claim.ts"
import type { Searches } from "../../sql/work/WorkStatements.ts"
import * as ClaimStatement from "./ClaimStatement.ts"
import * as OldestWork from "./OldestWork.ts"

/** Looks beside its claims, as long as the scope. */
export const makeSearches = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<Searches, never, Scope.Scope> {
  const turns: Turns = new Map()
  const { bounds, look } = yield* OldestWork.make(sql)
  const memory = { turns, bounds, isCrowded: false }
  return {
    claim: (request) =>
      Effect.andThen(
        look(wantedKinds(request).map(([kind]) => kind)),
        ClaimStatement.claim(sql, request, memory)
      ),
    bounds: Effect.as(look(WorkKind.literals), bounds)
  }
})
