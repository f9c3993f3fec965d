/** What a look at one thing found. */
import { withoutSecrets } from "../command/Refusal.ts"

/** `failed` keeps the server from its work; a `warning` may do so one day. */
type Verdict = "ok" | "warning" | "failed"

/** One line for the operator: what was looked at, and why it is so and what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly what: string
  readonly why: string
}

const make =
  (verdict: Verdict) =>
  (what: string, why: string): Finding => ({ verdict, what, why: withoutSecrets(why) })

/** It is as it should be. */
export const ok = make("ok")

/** It works, and should be looked at. */
export const warning = make("warning")

/** It keeps the server from its work. */
export const failed = make("failed")
