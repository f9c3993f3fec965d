/** Where `verbatim transcribe` has its recordings recognised. */

import type { Modifier } from "@verbatim/core/transcription"
import { Context, type Effect } from "effect"
import type { Refusal } from "./command/Refusal.ts"

/** The parameters of the create request, by their names on the wire. */
export type Parameters = Readonly<Record<string, ReadonlyArray<string> | boolean | number | string>>

/** A recording that became text. */
export interface Product {
  readonly path: string
  readonly body: string
  /** Absent when none was asked for, or none was made; the account then says why. */
  readonly summary: string | undefined
  /** One line about how it went, and one for each thing that was not heard. */
  readonly account: string
}

/** One recording, and what to make of it. */
export interface Order {
  readonly path: string
  readonly format: Modifier
  readonly parameters: Parameters
}

/** Takes recordings. */
export class Studio extends Context.Service<
  Studio,
  {
    /** A line for the user who waits. */
    readonly say: (line: string) => Effect.Effect<void>
    /** Waits until the engine can work. Recordings are accepted meanwhile. */
    readonly isReady: Effect.Effect<void, Refusal>
    /** Recognises one recording. The refusal's sentence names it. */
    readonly transcribe: (order: Order) => Effect.Effect<Product, Refusal>
  }
>()("@verbatim/server/command/Studio") {}
