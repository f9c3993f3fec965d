/**
 * The promises of a `PresetStore` about slugs, texts and JSON values.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type Preset, type PresetConfig } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option } from "effect"
import { presetId } from "../../../samples/Ids.ts"
import {
  findStored,
  makeDraft,
  revisePreset,
  slug,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { awkwardTexts, longText } from "../../../samples/SampleText.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** What comes back of a value. */
export const values: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"compares slugs byte by byte"(store) {
      const long = "x".repeat(254)
      const alike = [
        "a",
        "A",
        "a.",
        "a-",
        "a_",
        "a~",
        "ab",
        "1",
        "01",
        "1.0",
        `${long}y`,
        `${long}z`
      ]
      yield* Effect.forEach(alike, (text, index) =>
        store.append(makeDraft(index + 1, { slug: slug(text) }))
      )
      const found = yield* Effect.forEach(alike, (text) => findStored(text))
      yield* Expect.that(
        "each has a preset of its own, in version 1",
        found.map(({ preset, version }) => [preset.id, version.version])
      ).is(alike.map((_, index) => [presetId(index + 1), 1]))
    },
    *"keeps every text as it is, null apart from empty"(store) {
      const prompts = [...awkwardTexts, longText(1_000_000), null]
      yield* Effect.forEach(prompts, (systemPrompt, index) =>
        store.append(makeDraft(index + 1, { systemPrompt }))
      )
      const versions = yield* versionsOf(presetId(1))
      yield* Expect.that(
        "the prompts are those given",
        versions.map(({ systemPrompt }) => systemPrompt)
      ).is(prompts)
    },
    *"keeps every name and description as it is, null apart from empty"(store) {
      const { preset } = yield* store.append(makeDraft(1))
      const descriptions = [...awkwardTexts, longText(4_000), null]
      let stored: Preset = preset
      for (const description of descriptions) {
        const name = description ?? "nameless"
        const event = Event.cases.Described.make({ at: later(1), name, description })
        stored = yield* revisePreset(stored, event)
        yield* Expect.that("the preset is called so", (yield* findStored()).preset).is(stored)
      }
    },
    *"keeps every JSON value as it is"(store) {
      const config = {
        numbers: [0, -1, 0.1, 1e-7, 1e21, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER],
        nothing: [null, "", [], {}, false],
        nested: { a: { b: { c: [{ d: [[1], [2, [3]]] }] } } },
        texts: awkwardTexts,
        names: Object.fromEntries(awkwardTexts.map((text, index) => [text, index])),
        long: longText(1_000_000)
      }
      yield* store.append(makeDraft(1, { config }))
      yield* Expect.that(
        "the configuration is the one given",
        (yield* findStored()).version.config
      ).is(config)
    },
    *"keeps the digits of every number, also beside others in one page"(store) {
      const digits = "9223372036854775807,0.1000000000000000055,-1e-400,18446744073709551616.0"
      const texts = [`{"a":[1.5,${digits}]}`, '{"a":9007199254740993}', '{"a":1}']
      const configs = texts.map((text) => Option.getOrThrow(ExactNumber.parse(text)))
      yield* Effect.forEach(configs, (config, index) =>
        store.append(makeDraft(index + 1, { config: config as PresetConfig }))
      )
      yield* Expect.that(
        "the configurations are written as they were sent",
        (yield* versionsOf(presetId(1))).map(({ config }) => JSON.stringify(config))
      ).is(texts)
      yield* Expect.that(
        "the number is there by itself too",
        Option.map(yield* store.version(presetId(1), 2), ({ config }) => JSON.stringify(config))
      ).is(Option.some('{"a":9007199254740993}'))
    },
    *"keeps a property called __proto__ as a property"(store) {
      const config = Object.fromEntries([["__proto__", { model: "hidden" }]])
      yield* store.append(makeDraft(1, { config }))
      yield* Expect.that("it is there", JSON.stringify((yield* findStored()).version.config)).is(
        '{"__proto__":{"model":"hidden"}}'
      )
    }
  }
)
