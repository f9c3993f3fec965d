/** Findings from the checks that `verbatim doctor` runs. */
import { withoutSecrets } from "../command/Refusal.ts"

/** `failed`: the server cannot work. `warning`: it could stop working later. */
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

/** Reports a part that works but needs attention. */
export const warning = make("warning")

/** Reports a problem that prevents the server from working. */
export const failed = make("failed")
