/** Tests the separation of speakers, with arbitrary voiceprints and with generated meetings. */
import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import * as fc from "fast-check"
import {
  tellSpeakersApart,
  type VoiceLimits,
  type Voiceprint
} from "#src/domain/transcription/Voiceprints"
import { makeMeeting } from "./Meetings.ts"

/** Voiceprints with few dimensions and whole numbers: many are equal, opposite or empty. */
const anyVoiceprint: fc.Arbitrary<Voiceprint> = fc
  .record({
    startMillis: fc.nat(60_000),
    millis: fc.nat(3_000),
    numbers: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 })
  })
  .map(({ millis, numbers, startMillis }) => ({
    startMillis,
    endMillis: startMillis + millis,
    vector: Float32Array.from(numbers)
  }))

const anyLimits: fc.Arbitrary<VoiceLimits> = fc.oneof(
  fc.constant({}),
  fc.record({ speakerCount: fc.integer({ min: 1, max: 8 }) }),
  fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(4)).map(([speakerCountMin, more]) => ({
    speakerCountMin,
    speakerCountMax: speakerCountMin + more
  }))
)

const anyVoiceprints = fc.array(anyVoiceprint, { maxLength: 40 })

const always = <Ts extends [unknown, ...Array<unknown>]>(
  title: string,
  values: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  law: (...values: Ts) => void
) => it(title, () => fc.assert(fc.property(...values, law), { numRuns: scaleRuns(300) }))

const count = (speakers: ReadonlyArray<number>) => new Set(speakers).size

const millisOf = ({ endMillis, startMillis }: Voiceprint) => Math.max(1, endMillis - startMillis)

describe("separated speakers", () => {
  always(
    "are as many as the limits allow, if there are enough voiceprints",
    [anyVoiceprints, anyLimits],
    (voiceprints, limits) => {
      const found = count(tellSpeakersApart(voiceprints, limits))
      const { speakerCount, speakerCountMax = 40, speakerCountMin = 1 } = limits
      assert.isAtMost(found, speakerCount ?? speakerCountMax)
      assert.isAtLeast(found, Math.min(speakerCount ?? speakerCountMin, voiceprints.length))
    }
  )

  always(
    "depend neither on the order of the voiceprints nor on the lengths of their vectors",
    [anyVoiceprints, anyLimits, fc.infiniteStream(fc.integer({ min: -8, max: 8 }))],
    (voiceprints, limits, numbers) => {
      const speakers = tellSpeakersApart(voiceprints, limits)
      const moved = voiceprints
        .map((voiceprint, index) => {
          const scale = 2 ** (numbers.next().value ?? 0)
          return { index, ...voiceprint, vector: voiceprint.vector.map((each) => each * scale) }
        })
        .sort(() => numbers.next().value ?? 0)
      const again = tellSpeakersApart(moved, limits)
      // Equal voiceprints are interchangeable.
      const nameOf = (voiceprint: Voiceprint, speaker: number | undefined) =>
        `${voiceprint.startMillis} ${voiceprint.endMillis} ${voiceprint.vector} ${speaker}`
      assert.deepStrictEqual(
        moved
          .map(({ index }, at) =>
            nameOf(voiceprints[index] ?? (moved[at] as Voiceprint), again[at])
          )
          .toSorted(),
        voiceprints.map((voiceprint, at) => nameOf(voiceprint, speakers[at])).toSorted()
      )
    }
  )

  it("reach the maximum number if there are more distinct voices", () => {
    const voiceCount = 6
    const voiceprints = Array.from({ length: 60 }, (_, at) => ({
      startMillis: 2_400 * at,
      endMillis: 2_400 * (at + 1),
      vector: Float32Array.from({ length: voiceCount }, (_, axis) =>
        axis === at % voiceCount ? 1 : 0
      )
    }))
    for (let speakerCountMax = 1; speakerCountMax <= voiceCount + 2; speakerCountMax++) {
      const found = count(tellSpeakersApart(voiceprints, { speakerCountMax }))
      assert.strictEqual(found, Math.min(speakerCountMax, voiceCount))
    }
  })

  always("are counted in the order in which they appear", [anyVoiceprints], (voiceprints) => {
    const ordered = voiceprints.map((each, at) => ({ ...each, startMillis: at, endMillis: 60_000 }))
    const speakers = tellSpeakersApart(ordered)
    for (const [at, speaker] of speakers.entries()) {
      assert.isAtMost(speaker, count(speakers.slice(0, at)))
    }
  })

  always(
    "have at least 5 s or 3 % of the speech, unless the minimum number requires more speakers",
    [anyVoiceprints],
    (voiceprints) => {
      const speakers = tellSpeakersApart(voiceprints)
      const total = voiceprints.reduce((sum, each) => sum + millisOf(each), 0)
      const least = Math.min(5_000, 0.03 * total)
      for (const speaker of new Set(speakers)) {
        const own = voiceprints.filter((_, at) => speakers[at] === speaker)
        assert.isAtLeast(
          own.reduce((sum, each) => sum + millisOf(each), 0),
          least
        )
      }
    }
  )
})

/** A few noisy voiceprints: the cosine is 0.2 to 0.3 within a voice, and 0.1 between voices. */
const noise = { dimensions: 192, within: 0.3, between: 0.3 }

describe("speakers in generated meetings", () => {
  it("are counted correctly in at least 90 of 100 cases, given a range", ({ annotate }) => {
    let [unaided, inRange] = [0, 0]
    for (let seed = 0; seed < 100; seed++) {
      const voiceCount = 1 + (seed % 8)
      const meeting = makeMeeting({ seed, minutes: 3 + (seed % 8), voiceCount, ...noise })
      const range = {
        speakerCountMin: Math.max(1, voiceCount - 1 - (seed % 2)),
        speakerCountMax: voiceCount + 1 + (seed % 3)
      }
      if (count(tellSpeakersApart(meeting)) === voiceCount) unaided += 1
      if (count(tellSpeakersApart(meeting, range)) === voiceCount) inRange += 1
    }
    void annotate(`right number unaided: ${unaided}, with a range: ${inRange}`)
    assert.isAtLeast(inRange, 90)
  })

  it("are counted correctly even if the meeting lasts ten hours", () => {
    const options = { seed: 7, dimensions: 48, within: 0.6, between: 0.2 }
    const meeting = makeMeeting({ ...options, minutes: 600, voiceCount: 6 })
    assert.isAbove(meeting.length, 10_000)
    assert.strictEqual(count(tellSpeakersApart(meeting)), 6)
  })
})
