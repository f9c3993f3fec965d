/**
 * Two voices, one in each channel, told apart without a model: the recorded meeting, whose voices
 * speak in turn, with every second turn in the other channel.
 */
import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { Installation } from "@verbatim/adapters/pocketsphinx"
import { ConfigProvider, Effect, Option } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { configuration } from "../src/Configuration.ts"
import { operate } from "./ServerProcess.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const meeting = local("../../../examples/audio/harbour-meeting.flac")
const spoken = local("../../../examples/audio/harbour-meeting.txt")
const rate = 16_000

const directory = await mkdtemp(join(tmpdir(), "verbatim-test-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

const { cacheDirectory } = await Effect.runPromise(configuration.parse(ConfigProvider.fromEnv()))
const installed = await Effect.runPromise(
  Installation.find({ cacheDirectory }).pipe(Effect.provide(nodeServices))
)

/** The pauses between turns, in seconds; the lines of the text are one turn each. */
const pauses = (): ReadonlyArray<number> => {
  const filter = "silencedetect=noise=-50dB:d=0.7,ametadata=mode=print:file=-"
  const arguments_ = ["-v", "error", "-i", meeting, "-af", filter, "-f", "null", "-"]
  const output = execFileSync("ffmpeg", arguments_, { encoding: "utf8" })
  const edges = [...output.matchAll(/silence_(start|end)=([\d.]+)/g)].map(([, , at]) => Number(at))
  // The last one is the end of the recording.
  return edges.flatMap((start, index) =>
    index % 2 === 0 && index < edges.length - 2 ? [(start + (edges[index + 1] ?? start)) / 2] : []
  )
}

/** A WAV file of two channels: the voice of a turn in one, and faintly in the other. */
const stereo = async (path: string): Promise<void> => {
  const plain = ["-v", "error", "-i", meeting, "-ac", "1", "-ar", `${rate}`, "-f", "s16le", "-"]
  const mono = execFileSync("ffmpeg", plain, { maxBuffer: 1e8 })
  const cuts = pauses()
  assert.strictEqual(cuts.length, 13)
  const samples = Buffer.alloc(mono.byteLength * 2)
  for (let at = 0; at < mono.byteLength / 2; at++) {
    const turn = cuts.filter((cut) => cut * rate <= at).length
    const sample = mono.readInt16LE(at * 2)
    const [near, far] = [sample, Math.round(sample / 8)]
    samples.writeInt16LE(turn % 2 === 0 ? near : far, at * 4)
    samples.writeInt16LE(turn % 2 === 0 ? far : near, at * 4 + 2)
  }
  const raw = join(directory, "raw")
  await writeFile(raw, samples)
  const shape = ["-f", "s16le", "-ar", `${rate}`, "-ac", "2", "-i", raw]
  execFileSync("ffmpeg", ["-v", "error", ...shape, path])
}

interface Paragraph {
  readonly speaker: string
  readonly text: string
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? []

describe.skipIf(Option.isNone(installed))("speakers", () => {
  it("are told apart by their channels, where no model does it", { timeout: 120_000 }, async () => {
    const path = join(directory, "meeting.wav")
    await stereo(path)
    const args = ["transcribe", path, "--format", "paragraph_json", "--speakers"]
    const { status, stderr, stdout } = await operate(directory, args, {
      VERBATIM_TRANSCRIBER: "pocketsphinx"
    })
    assert.strictEqual(status, 0, stderr)
    const { list }: { readonly list: ReadonlyArray<Paragraph> } = JSON.parse(stdout)
    const lines = (await readFile(spoken, "utf8")).trim().split("\n")
    assert.strictEqual(lines.length, 14)
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
