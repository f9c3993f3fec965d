/** How the effect of one setting is looked for. */
import type { RunName } from "./Runs.ts"
import type { Stage } from "./Stage.ts"

/** What is seen at a server. `wanted` is told to those who have to wait for it. */
export type Look = (stage: Stage, run: RunName, wanted: unknown) => Promise<unknown>

/** A look at a server with the setting and at one without it. */
export interface Row {
  readonly look: Look
  /** The server with the setting, and what is seen there. */
  readonly unusual: RunName
  readonly expected: unknown
  /** The server without it, and what is seen there; or why no test can have one. */
  readonly usual: RunName | { readonly reason: string }
  readonly otherwise?: unknown
}
