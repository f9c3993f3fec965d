/** Why nothing can be written in the transaction of a host: one sentence for each reason. */
import { Schema } from "effect"

const sentences = {
  NotOpen:
    "The connection is in no transaction: begin one on it, and end it after this call has ended.",
  Aborted: "The transaction has failed before and can only be rolled back.",
  Ended: "The transaction ended before this call did: wait for the call, then end the transaction.",
  Unusable: "The connection takes no statement: it is closed, released, or lost.",
  OtherDatabase: "The connection is open on another database than the stores.",
  ReadOnly: "The transaction is read-only, so that nothing can be written in it.",
  ForeignKeysOff: "The connection does not check foreign keys, which the stores rely on.",
  InMemory: "A database in memory has one connection: a host cannot have another one to it.",
  Unanswered: "The database of the stores does not answer, so the connection cannot be judged."
} as const

/** Nothing was written in the transaction of the host. */
export class HostTransactionError extends Schema.TaggedError<HostTransactionError>()(
  "HostTransactionError",
  {
    reason: Schema.Literals([
      "NotOpen",
      "Aborted",
      "Ended",
      "Unusable",
      "OtherDatabase",
      "ReadOnly",
      "ForeignKeysOff",
      "InMemory",
      "Unanswered"
    ]),
    /** What the driver said, for the operator. */
    cause: Schema.optional(Schema.Defect())
  }
) {
  override get message(): string {
    return sentences[this.reason]
  }
}
