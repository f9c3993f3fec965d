/** Why a store was not copied. */
import { Schema } from "effect"

const Reason = Schema.TaggedUnion({
  /** Migrations are missing in the source. */
  SourceBehind: {},
  /** The source has migrations that this code does not know: a copy would lose their columns. */
  SourceNewer: {},
  /** The source is itself a copy that was broken off. */
  SourceUnfinished: {},
  /** Processes use the source, and would go on writing what no copy has. */
  SourceInUse: {},
  /** The source and the target are one database. */
  SameStore: {},
  /** The target has rows already. */
  TargetNotEmpty: { table: Schema.String },
  /** The target has migrations that this code does not know. */
  TargetNewer: {},
  /** Another process, perhaps another copy, writes to the target. */
  TargetInUse: {},
  /** A text has a character that the target cannot hold. */
  Unstorable: { table: Schema.String, key: Schema.String },
  /** At the end the target does not have what the source has. */
  Different: { what: Schema.String, source: Schema.String, target: Schema.String },
  SourceFailed: { cause: Schema.Defect() },
  TargetFailed: { cause: Schema.Defect() }
})

/** Why a store was not copied. */
export class CopyError extends Schema.TaggedError<CopyError>()("CopyError", { reason: Reason }) {
  override get message(): string {
    return `the store was not copied: ${this.reason._tag}`
  }
  /** What the driver said. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** Each reason. */
export const reasons: typeof Reason.cases = Reason.cases

/** The failure with that reason. */
export const copyError = (reason: CopyError["reason"]): CopyError => new CopyError({ reason })
