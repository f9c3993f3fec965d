import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ProgressTotal } from "#src/command/localTranscription"
import * as ProgressBar from "#src/command/terminal/ProgressBar"

const displayed = (isTerminal: boolean) => {
  const written: Array<string> = []
  const write = (text: string) => {
    written.push(text)
  }
  return { written, display: { isTerminal, columns: 60, write } }
}

describe("a progress bar", () => {
  it("shows the progress, but is never wider than the terminal", () => {
    const half = ProgressBar.frame({ fraction: 0.5, label: "recognising" }, 60)
    assert.strictEqual(half, "[============            ]  50 %  recognising")
    assert.strictEqual(ProgressBar.frame({ fraction: 7, label: "x" }, 20).length, 19)
    assert.strictEqual(ProgressBar.frame({ fraction: undefined, label: "x" }, 80), "x")
  })

  it.effect("is redrawn on a terminal, and erased at the end", () =>
    Effect.gen(function* () {
      const { display, written } = displayed(true)
      const total = new ProgressTotal(2)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const look = Effect.sync(() => ({ fraction: total.fraction, label: "work" }))
          const bar = yield* ProgressBar.make(look, display)
          yield* TestClock.adjust(100)
          total.note(total, 0.5)
          yield* TestClock.adjust(200)
          yield* bar.say("a line")
        })
      )
      assert.include(written[0], "work")
      assert.include(written[1], "[======                  ]  25 %  work")
      assert.include(written.join(""), "\u001b[2Ka line\n")
      assert.strictEqual(written.at(-1), "\r\u001b[2K")
    })
  )

  it.effect("shows how many seconds a step has taken, without hiding the result", () =>
    Effect.gen(function* () {
      const { display, written } = displayed(true)
      const step = Effect.as(TestClock.adjust(2_100), "result")
      assert.strictEqual(yield* ProgressBar.showWait("sending", display)(step), "result")
      assert.include(written.at(-2), "sending: 2 s")
      assert.strictEqual(written.at(-1), "\r\u001b[2K")
    })
  )
})
