import { assert, describe, it } from "@effect/vitest"
import { Catalogue, ModelChoice } from "@verbatim/adapters/whisper"
import { Language, languages } from "@verbatim/core/transcription"
import { Schema } from "effect"

const { chooseModels, choosable, memoryOf, rankModels } = ModelChoice

const catalogue = Catalogue.builtIn

const gigabyte = 1e9

/** Generates machines, from small containers to servers. */
const Machine = Schema.Struct({
  memoryBytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 * gigabyte })),
  cores: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
})

const AnyLanguage = Schema.NullOr(Language)

const best = (language: Language | null, machine: ModelChoice.Machine) =>
  rankModels(language, { catalogue, machine })[0]

/** Returns the place of the chosen model in the order of preference. */
const placeOf = (language: Language | null, machine: ModelChoice.Machine): number =>
  choosable(catalogue).indexOf(best(language, machine) ?? assert.fail())

describe("the choice of a model", () => {
  it.prop(
    "ranks every model that supports the language once",
    [AnyLanguage, Machine],
    ([language, machine]) => {
      const able = choosable(catalogue).filter(
        (model) => language === null || (model.languages?.includes(language) ?? true)
      )
      const ranked = rankModels(language, { catalogue, machine })
      assert.sameMembers([...ranked], able)
      assert.strictEqual(ranked.length, able.length)
    }
  )

  it.prop(
    "picks a model that fits into memory if there is one",
    [AnyLanguage, Machine],
    ([language, machine]) => {
      const chosen = best(language, machine)
      assert.isDefined(chosen)
      const smallest = memoryOf(best(language, { memoryBytes: 0, cores: 1 }) ?? chosen)
      if (machine.memoryBytes < smallest) assert.strictEqual(memoryOf(chosen), smallest)
      else assert.isAtMost(memoryOf(chosen), machine.memoryBytes)
    }
  )

  it.prop(
    "never picks a worse model for more memory or cores",
    [AnyLanguage, Machine, Machine],
    ([language, one, other]) => {
      const larger = {
        memoryBytes: one.memoryBytes + other.memoryBytes,
        cores: one.cores + other.cores
      }
      const smallest = memoryOf(best(language, { memoryBytes: 0, cores: 1 }) ?? assert.fail())
      // If the machine has less memory, no model fits, and the smallest one is chosen.
      if (one.memoryBytes < smallest) return
      assert.isAtMost(placeOf(language, larger), placeOf(language, one))
    }
  )

  it.prop(
    "prefers a model that supports all languages if the language is unknown",
    [Machine],
    ([machine]) => {
      assert.isUndefined(best(null, machine)?.languages)
    }
  )

  it("covers each language exactly once", () => {
    const machine = { memoryBytes: 4 * gigabyte, cores: 4 }
    const choices = chooseModels({ catalogue, machine })
    assert.sameMembers(
      choices.flatMap((choice) => choice.languages),
      [null, ...languages]
    )
    assert.deepStrictEqual(
      choices.map(({ languages: chosenFor, model }) => [model.name, chosenFor.length]),
      [
        ["parakeet-110m", 1],
        ["parakeet-v3", 23],
        ["sense-voice", 3],
        ["turbo", 26]
      ]
    )
  })
})
