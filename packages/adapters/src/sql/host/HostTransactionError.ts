/**
 * The reasons why the stores cannot write in a host's transaction, with an error message for each.
 */
import { Schema, Struct } from "effect"

const sentences = {
  NotOpen:
    "The connection is not in a transaction: begin one, and end it after this call has ended.",
  Aborted: "The transaction has already failed and can only be rolled back.",
  Ended: "The transaction ended before this call did: wait for the call, then end the transaction.",
  Unusable: "The connection cannot run statements: it is closed, released, or lost.",
  OtherDatabase: "The connection is open on a different database from the stores'.",
  ReadOnly: "The transaction is read-only, so nothing can be written in it.",
  ForeignKeysOff: "The connection does not check foreign keys, which the stores rely on.",
  InMemory: "A database in memory has only one connection, so a host cannot have another.",
  Unanswered: "The database of the stores does not answer, so the connection cannot be checked."
} as const

/** The error for an effect that could not run in the host's transaction. Nothing was written. */
export class HostTransactionError extends Schema.TaggedError<HostTransactionError>()(
  "HostTransactionError",
  {
    reason: Schema.Literals(Struct.keys(sentences)),
    /** The driver's error, for the operator. */
    cause: Schema.optional(Schema.Defect())
  }
) {
  override get message(): string {
    return sentences[this.reason]
  }
}
