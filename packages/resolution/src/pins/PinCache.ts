/**
 * What is known of many references: no more of them, and no more text, than the limits say. What
 * was not used for the longest time goes first. Nothing here waits or looks at a clock.
 */
import type { Moment } from "./Moment.ts"
import type { PinLimits, PinnedVersion } from "./Pin.ts"
import {
  asked,
  type Decision,
  decide,
  lastKnown,
  makeEntry,
  type Outcome,
  type PinEntry,
  settle
} from "./PinEntry.ts"

/** A version that is kept, by how many references. */
interface Kept {
  readonly pinned: PinnedVersion
  readonly characters: number
  holders: number
}

const charactersOf = ({ version }: PinnedVersion): number =>
  (version.systemPrompt?.length ?? 0) + JSON.stringify(version.config).length

/** Remembers what references meant. */
export class PinCache {
  readonly #limits: PinLimits
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, PinEntry>()
  readonly #kept = new Map<string, Kept>()
  #characters = 0
  #questions = 0

  constructor(limits: PinLimits) {
    this.#limits = limits
  }

  /** What to do for whoever wants to know what a reference means. */
  decide(reference: string, now: Moment): Decision {
    const entry = this.#entries.get(reference)
    if (entry === undefined) return { _tag: "Ask" }
    this.#entries.delete(reference)
    this.#entries.set(reference, entry)
    return decide(entry, now, this.#limits)
  }

  /** The last answer that may still be given. */
  lastKnown(reference: string, now: Moment): ReturnType<typeof lastKnown> {
    return lastKnown(this.#entries.get(reference) ?? makeEntry(0), now, this.#limits)
  }

  /** The version that a reference meant last; it need not be sent again. */
  versionOf(reference: string): PinnedVersion | undefined {
    return this.#entries.get(reference)?.pin?.pinned
  }

  /** A question is sent. Gives its number. */
  ask(reference: string, sentAt: Moment): number {
    this.#questions += 1
    const number = this.#questions
    const entry = this.#entries.get(reference) ?? makeEntry(number - 1)
    this.#put(reference, asked(entry, { number, sentAt }))
    return number
  }

  /** A question had an outcome. Of a reference that was forgotten meanwhile nothing is kept. */
  settle(reference: string, number: number, outcome: Outcome): void {
    const entry = this.#entries.get(reference)
    if (entry === undefined) return
    const next = settle(entry, number, outcome)
    // Answers that are still to come find nothing, or an entry that began after their questions.
    if (next.pin === undefined && next.questions.length === 0) this.#remove(reference)
    else this.#put(reference, next)
  }

  #put(reference: string, entry: PinEntry): void {
    const { pin } = entry
    const held = pin && { ...pin, pinned: this.#hold(pin.pinned) }
    this.#remove(reference)
    this.#entries.set(reference, { ...entry, pin: held })
    this.#shrink()
  }

  #remove(reference: string): void {
    const pin = this.#entries.get(reference)?.pin
    this.#entries.delete(reference)
    if (pin !== undefined) this.#release(pin.pinned)
  }

  #hold(pinned: PinnedVersion): PinnedVersion {
    const kept = this.#kept.get(pinned.versionId)
    if (kept !== undefined) {
      kept.holders += 1
      return kept.pinned
    }
    const characters = charactersOf(pinned)
    this.#kept.set(pinned.versionId, { pinned, characters, holders: 1 })
    this.#characters += characters
    return pinned
  }

  #release({ versionId }: PinnedVersion): void {
    const kept = this.#kept.get(versionId)
    if (kept === undefined) return
    kept.holders -= 1
    if (kept.holders > 0) return
    this.#kept.delete(versionId)
    this.#characters -= kept.characters
  }

  #shrink(): void {
    const { characterMax, referenceMax } = this.#limits
    for (const reference of this.#entries.keys()) {
      if (this.#entries.size <= referenceMax && this.#characters <= characterMax) return
      this.#remove(reference)
    }
  }
}
