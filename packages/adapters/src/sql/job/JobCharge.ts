/**
 * The charge of a commit, as the ledger books it.
 */
import type { Commit } from "@verbatim/core/ports"
import { Option } from "effect"
import type { Booking } from "../workspace/Ledger.ts"

/** None when the commit charges nothing. */
export const bookingOf = ({ at, chargeMillis, next }: Commit): Option.Option<Booking> =>
  Option.map(chargeMillis, (millis) => ({
    workspaceId: next.workspaceId,
    column: "job_id",
    id: next.id,
    millis: -millis,
    at
  }))
