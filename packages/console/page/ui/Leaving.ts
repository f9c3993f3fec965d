/** Jobs, presets, contents of versions and keys that go in a moment, unless that is taken back. */
import { signal } from "@preact/signals"

/** By their ids. */
export const leaving = signal<ReadonlySet<string>>(new Set())

/** One that goes; what is given back takes it back. */
export const leave = (id: string): (() => void) => {
  leaving.value = new Set([...leaving.value, id])
  return () => {
    leaving.value = new Set([...leaving.value].filter((each) => each !== id))
  }
}
