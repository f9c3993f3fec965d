/** Findings of checks. */
import { withoutSecrets } from "../command/Refusal.ts"

/** `failed` prevents the server from working; a `warning` could do so later. */
type Verdict = "ok" | "warning" | "failed"

/** One line for the operator: what was checked, the reason, and what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly what: string
  readonly why: string
}

const make =
  (verdict: Verdict) =>
  (what: string, why: string): Finding => ({ verdict, what, why: withoutSecrets(why) })

/** Reports that all is well. */
export const ok = make("ok")

/** Reports something that works, but needs attention. */
export const warning = make("warning")

/** Reports something that prevents the server from working. */
export const failed = make("failed")
