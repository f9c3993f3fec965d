/** Describes the results of the checks that `verbatim doctor` runs. */
import { withoutSecrets } from "../command/Refusal.ts"

/**
 * The result of a check. `failed` means that the server cannot work, and `warning` that it could
 * stop working later.
 */
type Verdict = "ok" | "warning" | "failed"

/** One line for the operator: what was checked, the reason for the result, and what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly what: string
  readonly why: string
}

const make =
  (verdict: Verdict) =>
  (what: string, why: string): Finding => ({ verdict, what, why: withoutSecrets(why) })

/** Reports that a check found no problem. */
export const ok = make("ok")

/** Reports that something works but needs attention. */
export const warning = make("warning")

/** Reports that a problem prevents the server from working. */
export const failed = make("failed")
