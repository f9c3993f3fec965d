/** Histories written by hand, and what the judge must make of them. */
import { assert, describe, it } from "@effect/vitest"
import { judge } from "#src/concurrency/judge/Judge"
import type { Recorded } from "#src/concurrency/questions/Question"

/** Those of right stores by what happens in them, those of broken ones by what the judge says. */
export interface Histories {
  readonly sound: Readonly<Record<string, ReadonlyArray<Recorded>>>
  readonly broken: ReadonlyArray<readonly [sentence: RegExp, records: ReadonlyArray<Recorded>]>
}

/** Registers a test for each. */
export const areJudged = (name: string, { broken, sound }: Histories): void => {
  describe(name, () => {
    for (const [what, records] of Object.entries(sound)) {
      it(`accepts ${what}`, () => {
        const { undecided, violations } = judge(records)
        assert.deepStrictEqual(violations, [])
        assert.strictEqual(undecided, 0)
      })
    }
    for (const [index, [sentence, records]] of broken.entries()) {
      it(`says "${sentence.source}" (${index + 1})`, () => {
        const [first = ""] = judge(records).violations
        assert.match(first, sentence)
      })
    }
  })
}
