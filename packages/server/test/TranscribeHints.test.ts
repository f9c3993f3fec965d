/** Tests that `verbatim transcribe` passes the user's hints on to the engine. */
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { startModels } from "./Models.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

const opening = fileURLToPath(
  new URL("../../../examples/audio/harbour-opening.mp3", import.meta.url)
)

describe("verbatim transcribe", () => {
  it("passes on keywords and the number of voices, and names unsupported options", async () => {
    await using directory = await dataDirectory()
    await using models = await startModels()
    const run = (...hints: ReadonlyArray<string>) =>
      operate(directory.path, ["transcribe", opening, "--format", "plain_text", ...hints], {
        VERBATIM_TRANSCRIBER: "openai",
        VERBATIM_OPENAI_BASE_URL: models.url
      })
    const hinted = await run("--keywords", "Elbe, Köhlbrand", "--voices", "2")
    assert.deepStrictEqual(
      [hinted.status, hinted.stdout],
      [0, "We met at the harbour. Then we left.\n"]
    )
    assert.include(models.bodies[0]?.toString(), "Elbe, Köhlbrand")
    assert.include(hinted.stderr, "the engine does not support a number of voices")
    assert.notInclude(hinted.stderr, "the engine does not support keywords")
    const plain = await run()
    assert.notInclude(plain.stderr, "the engine does not support")
    for (const wrong of [
      ["--voices", "0"],
      ["--keywords", `["${"x".repeat(101)}"]`]
    ]) {
      assert.strictEqual((await run(...wrong)).status, 2)
    }
    assert.lengthOf(models.bodies, 2)
  })
})
