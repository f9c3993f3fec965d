/** Compares the search with a simpler search that tries every order. */

import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { scaleRuns } from "#src/contracts/Expect"
import { linearize, type Model, type Operation } from "#src/model/Linear"

/** An operation on a register: a read, or a write of a number. */
interface Asked extends Operation {
  readonly kind: "read" | "swap" | "write"
  readonly value: number
}

const register: Model<number, Asked> = {
  initial: 0,
  step: (state, { kind, value }) => {
    if (kind === "write") return value
    if (kind === "read") return state === value ? state : undefined
    return state === value ? value + 1 : undefined
  },
  isRead: ({ kind }) => kind === "read",
  key: String
}

/**
 * Whether some order of the operations is valid. At each step, tries every operation that can come
 * next.
 */
const isLinear = (state: number, left: ReadonlyArray<Asked>): boolean => {
  if (left.every(({ returned }) => !Number.isFinite(returned))) return true
  const firstReturn = Math.min(...left.map(({ returned }) => returned))
  return left.some((operation, index) => {
    if (operation.invoked > firstReturn) return false
    const next = register.step(state, operation)
    return next !== undefined && isLinear(next, left.toSpliced(index, 1))
  })
}

const histories = fc.array(
  fc
    .record({
      kind: fc.constantFrom("read", "swap", "write"),
      value: fc.nat(2),
      invoked: fc.nat(12),
      length: fc.nat(8),
      isLost: fc.boolean()
    })
    .map(({ invoked, isLost, kind, length, value }) => ({
      kind,
      value,
      invoked,
      // If its response was lost, a read proves nothing.
      returned: isLost && kind !== "read" ? Number.POSITIVE_INFINITY : invoked + length
    })),
  { maxLength: 7 }
)

describe("linearize", () => {
  it("finds an order for the operations if and only if one exists", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const verdict = linearize(register, history)
        assert.strictEqual(verdict._tag === "Linear", isLinear(0, history))
      }),
      { numRuns: scaleRuns(5_000) }
    )
  })

  it("decides quickly whether hundreds of reads during writes have an order", () => {
    const reads = Array.from(
      { length: 400 },
      (_, index): Asked => ({
        kind: "read",
        value: index % 20,
        invoked: 0,
        returned: 1_000
      })
    )
    const writes = Array.from(
      { length: 19 },
      (_, index): Asked => ({
        kind: "swap",
        value: index,
        invoked: 0,
        returned: 1_000
      })
    )
    assert.strictEqual(linearize(register, [...reads, ...writes])._tag, "Linear")
  })

  it("decides quickly whether many operations with unknown outcomes have an order", () => {
    const lost = Array.from(
      { length: 24 },
      (): Asked => ({ kind: "write", value: 0, invoked: 0, returned: Number.POSITIVE_INFINITY })
    )
    const wrong: Asked = { kind: "read", value: 5, invoked: 1, returned: 2 }
    assert.strictEqual(linearize(register, [...lost, wrong])._tag, "NotLinear")
  })
})
