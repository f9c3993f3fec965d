/**
 * Two voices, one in each channel, told apart without a model: the beginning of the recorded
 * meeting, whose voices speak in turn, with every second turn in the other channel.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { Installation } from "@verbatim/adapters/pocketsphinx"
import { ConfigProvider, Effect, Option } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import { pausesOf, turns, wav } from "./Recordings.ts"
import { operate } from "./ServerProcess.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const spoken = local("../../../examples/audio/harbour-meeting.txt")

const directory = await mkdtemp(join(tmpdir(), "verbatim-test-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

const { cacheDirectory } = await Effect.runPromise(configuration.parse(ConfigProvider.fromEnv()))
const installed = await Effect.runPromise(
  Installation.find({ cacheDirectory }).pipe(Effect.provide(nodeServices))
)

/** Two for each voice: recognising the other ten as well takes three times as long. */
const turnCount = 4

/** A WAV file of two channels: the voice of a turn in one, and faintly in the other. */
const stereo = async (): Promise<Buffer> => {
  const mono = await turns(turnCount)
  // The lines of the text are one turn each.
  const cuts = pausesOf(mono, 0.7)
  assert.strictEqual(cuts.length, turnCount - 1)
  const both = new Int16Array(mono.length * 2)
  for (const [at, near] of mono.entries()) {
    const turn = cuts.filter((cut) => cut <= at).length
    const far = Math.round(near / 8)
    both.set(turn % 2 === 0 ? [near, far] : [far, near], at * 2)
  }
  return wav(both, 2)
}

interface Paragraph {
  readonly speaker: string
  readonly text: string
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? []

describe.skipIf(Option.isNone(installed))("speakers", () => {
  it("are told apart by their channels, where no model does it", async () => {
    const path = join(directory, "meeting.wav")
    await writeFile(path, await stereo())
    const args = ["transcribe", path, "--format", "paragraph_json", "--speakers"]
    const { status, stderr, stdout } = await operate(directory, args, {
      VERBATIM_TRANSCRIBER: "pocketsphinx"
    })
    assert.strictEqual(status, 0, stderr)
    const { list }: { readonly list: ReadonlyArray<Paragraph> } = JSON.parse(stdout)
    const lines = (await readFile(spoken, "utf8")).split("\n", turnCount)
    for (const [number, voice] of ["speaker_0", "speaker_1"].entries()) {
      const said = list.flatMap(({ speaker, text }) => (speaker === voice ? wordsOf(text) : []))
      const meant = lines.filter((_, index) => index % 2 === number).flatMap(wordsOf)
      const others = lines.filter((_, index) => index % 2 !== number).flatMap(wordsOf)
      const own = new Set(meant)
      // Words that only the other voice says would be the other voice's.
      const foreign = new Set(others.filter((word) => !own.has(word)))
      const stolen = said.filter((word) => foreign.has(word)).length
      console.log(`${voice}: ${said.length} words, ${stolen} of the other one`)
      assert.isAbove(said.filter((word) => own.has(word)).length / meant.length, 0.9)
      assert.isBelow(stolen / said.length, 0.05)
    }
  })
})
