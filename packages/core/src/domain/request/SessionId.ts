/**
 * The key that groups requests of one session. It is not kept, but its limit holds wherever it is
 * sent: in the body, or in a header when the body has none.
 */
import { Schema } from "effect"
import * as Rule from "../schema/Rule.ts"

/** Longest key of a session, and longest `user`, in characters. */
export const sessionIdMax = 256

/** A key of at most 256 characters. */
export const SessionId = Schema.String.check(Rule.charactersAtMost(sessionIdMax))

/** Whether a key is within its limit. */
export const isSessionId = Schema.is(SessionId)
