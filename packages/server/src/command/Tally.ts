/** How much is done in all, of several recordings that are transcribed at once. */

/** How far several recordings are. */
export class Tally {
  private readonly running = new Map<object, number>()
  private done = 0
  private readonly total: number

  constructor(total: number) {
    this.total = total
  }

  /** Recordings that have ended, well or badly. */
  get ended(): number {
    return this.done
  }

  /** One more recording has ended. */
  end(): void {
    this.done += 1
  }

  /** The share of everything, from 0 to 1; none until an engine has reported. */
  get fraction(): number | undefined {
    if (this.running.size === 0 && this.done === 0) return undefined
    const partly = Array.from(this.running.values()).reduce((sum, each) => sum + each, 0)
    return (this.done + partly) / this.total
  }

  /** How much of one is done. */
  note(recording: object, fraction: number): void {
    this.running.set(recording, fraction)
  }

  /** It is no longer counted by its parts. */
  forget(recording: object): void {
    this.running.delete(recording)
  }
}
