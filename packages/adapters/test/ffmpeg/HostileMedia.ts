/** Lists hostile files, with their contents and the outcomes that a decoding of each may have. */
import { readFileSync } from "node:fs"
import type { Reason } from "#src/ffmpeg/FfmpegOutcome"
import { clip } from "./Clips.ts"
import * as Bytes from "./HostileBytes.ts"

/** Things that a hostile file may refer to, but that no decoder may open. */
export interface Bait {
  /**
   * The folder of the file. The folder also contains the pipe `bait.ts`, which blocks any program
   * that opens it.
   */
  readonly folder: string
  /** The port of a TCP server on this machine. */
  readonly port: number
}

/** The possible ends of a decoding. `Decoded` means that it returns at most an hour of audio. */
type Ending = Reason["_tag"] | "Decoded"

/** A hostile file, and how its decoding may end. */
export interface HostileFile {
  readonly name: string
  readonly bytes: (bait: Bait) => string | Buffer
  readonly endings: ReadonlyArray<Ending>
}

const refused = ["MediaUndecodable"] as const
const refusedOrSilent = ["MediaUndecodable", "AudioMissing"] as const
const damaged = ["MediaUndecodable", "AudioMissing", "Decoded"] as const
const bounded = [...damaged, "AudioTooLong"] as const

type Row = readonly [
  name: string,
  bytes: HostileFile["bytes"] | string | Buffer,
  endings: ReadonlyArray<Ending>
]

const clipBytes = (extension: string) => readFileSync(clip(`clip${extension}`))

const list = (...lines: ReadonlyArray<string>) => `${lines.join("\n")}\n`

const hls = (...lines: ReadonlyArray<string>) =>
  list("#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", ...lines, "#EXT-X-ENDLIST")

const noMedia: ReadonlyArray<Row> = [
  ["first-bytes.mp4", clipBytes(".mp4").subarray(0, 16), refused],
  ["noise.ogg", Bytes.noise(100_000), refusedOrSilent],
  ["bomb.mkv", Bytes.zipped(), refused],
  [
    "picture.avi",
    Buffer.from("89504e470d0a1a0a0000000d49484452ffffffffffffffff0802", "hex"),
    refused
  ]
]

const lists: ReadonlyArray<Row> = [
  ["hls.avi", hls("#EXTINF:4,", "bait.ts"), refused],
  ["hls-file.mkv", ({ folder }) => hls("#EXTINF:4,", `file://${folder}/bait.ts`), refused],
  ["hls-http.mp3", ({ port }) => hls("#EXTINF:4,", `http://127.0.0.1:${port}/a.ts`), refused],
  ["hls-tcp.wav", ({ port }) => hls("#EXTINF:4,", `tcp://127.0.0.1:${port}`), refused],
  [
    "hls-key.ogg",
    ({ port }) =>
      hls(`#EXT-X-KEY:METHOD=AES-128,URI="http://127.0.0.1:${port}/k"`, "#EXTINF:4,", "bait.ts"),
    refused
  ],
  ["hls-concat.flv", hls("#EXTINF:4,", "concat:bait.ts|bait.ts"), refused],
  ["hls-passwd.mov", hls("#EXTINF:4,", "file:///etc/passwd"), refused],
  ["concat.wav", list("ffconcat version 1.0", "file bait.ts"), refused],
  [
    "concat-absolute.m4v",
    ({ folder }) => list("ffconcat version 1.0", `file '${folder}/bait.ts'`),
    refused
  ],
  [
    "concat-http.aac",
    ({ port }) => list("ffconcat version 1.0", `file http://127.0.0.1:${port}/a`),
    refused
  ],
  [
    "dash.mp4",
    ({ port }) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period>` +
      `<AdaptationSet><Representation id="1"><BaseURL>http://127.0.0.1:${port}/a.mp4</BaseURL>` +
      `</Representation></AdaptationSet></Period></MPD>`,
    refused
  ],
  [
    "session.mp3",
    ({ port }) => list("v=0", "c=IN IP4 127.0.0.1", "t=0 0", `m=audio ${port} TCP/RTP/AVP 0`),
    refused
  ],
  ["playlist.oga", ({ port }) => list("[playlist]", `File1=http://127.0.0.1:${port}/`), refused]
]

const claims: ReadonlyArray<Row> = [
  ["channels-0.wav", Bytes.claimingWav({ channels: 0 }), damaged],
  ["rate-0.wav", Bytes.claimingWav({ rate: 0 }), damaged],
  ["rate-1.wav", Bytes.claimingWav({ rate: 1 }), bounded],
  ["bits-65535.wav", Bytes.claimingWav({ bits: 65_535 }), damaged],
  ["data-4-gigabytes.wav", Bytes.claimingWav({ dataBytes: 0xffff_fffe }), damaged],
  ["table.mp4", Bytes.claimingMp4(), refusedOrSilent],
  ["nested.mov", Bytes.nestedMp4(20_000), refusedOrSilent],
  ["ten-hours.flac", Bytes.silentFlac(10), ["AudioTooLong"]]
]

const tracks: ReadonlyArray<Row> = [
  ["attachment.mkv", readFileSync(clip("attachment.mkv")), ["Decoded"]],
  ["'; touch pwned; $(id) `id` %03d & |.mp3", clipBytes(".mp3"), ["Decoded"]],
  ["-i concat:bait.ts.mp3", clipBytes(".mp3"), ["Decoded"]]
]

const extensions = [
  ...[".mp3", ".wav", ".flac", ".ogg", ".oga", ".aac", ".m4a", ".wma"],
  ...[".mp4", ".mov", ".avi", ".mkv", ".webm", ".wmv", ".m4v", ".flv"]
]

/**
 * Damaged files in each format. Every second one is truncated; the others have wrong bytes
 * throughout.
 */
const cuts: ReadonlyArray<Row> = extensions.map((extension, index): Row => {
  const bytes = clipBytes(extension)
  if (index % 2 === 0) {
    return [`first-third${extension}`, bytes.subarray(0, bytes.length / 3), damaged]
  }
  const flipped = Buffer.from(bytes)
  for (let at = 64; at < flipped.length; at += 97) flipped[at] = (flipped[at] ?? 0) ^ 0xff
  return [`bytes-flipped${extension}`, flipped, damaged]
})

export const hostileFiles: ReadonlyArray<HostileFile> = [
  ...noMedia,
  ...lists,
  ...claims,
  ...tracks,
  ...cuts
].map(([name, bytes, endings]) => ({
  name,
  bytes: typeof bytes === "function" ? bytes : () => bytes,
  endings
}))
