/**
 * Lists recordings of every kind: how to create each, how long it is, and which tones occur at
 * which times.
 */
import type { Encoding } from "./Encoder.ts"
import { high, inputs, low } from "./SoundInputs.ts"
import { from, long, plain, type Row } from "./SoundRow.ts"
import { sides } from "./SoundSides.ts"

/** One recording for each format and codec. */
const formats: ReadonlyArray<Row> = (
  [
    ["s16.wav", "plain.wav", "-c:a", "pcm_s16le"],
    ["f32.wav", "plain.wav", "-c:a", "pcm_f32le"],
    ["a-law.wav", "phone.wav", "-c:a", "pcm_alaw"],
    ["adpcm-ms.wav", "plain.wav", "-c:a", "adpcm_ms"],
    ["rf64.wav", "plain.wav", "-rf64", "always"],
    ["flac.flac", "plain.wav"],
    ["xing.mp3", "plain.wav", "-c:a", "libmp3lame"],
    ["no-xing.mp3", "plain.wav", "-c:a", "libmp3lame", "-write_xing", "0"],
    ["adts.aac", "plain.wav", "-c:a", "aac"],
    ["vorbis.ogg", "plain.wav", "-c:a", "libvorbis"],
    ["flac.oga", "plain.wav", "-c:a", "flac"],
    ["aac.m4a", "plain.wav", "-c:a", "aac"],
    ["fragments.mp4", "plain.wav", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"],
    ["pcm.mov", "plain.wav", "-c:a", "pcm_s16le"],
    ["opus.mkv", "plain.wav", "-c:a", "libopus"],
    ["opus.webm", "plain.wav", "-c:a", "libopus"],
    ["mp3.flv", "plain.wav", "-c:a", "libmp3lame"],
    ["two.wma", "plain.wav", "-c:a", "wmav2"],
    ["pcm.avi", "plain.wav", "-c:a", "pcm_s16le"]
  ] as const
).map(([name, input, ...words]) => ({ ...plain, name, runs: from(input, ...words) }))

/** Recordings that leave out two seconds of silence. */
const holes: ReadonlyArray<Row> = (
  [
    ["hole.mkv", "libopus"],
    ["hole-flac.mkv", "flac"],
    ["hole.webm", "libopus"],
    ["hole.mp4", "aac"],
    ["hole.flv", "aac"],
    ["hole.wma", "wmav2"]
  ] as const
).map(([name, codec]) => ({
  ...long,
  name,
  runs: from("long.wav", "-af", "aselect='not(between(t,1.5,3.5))'", "-c:a", codec)
}))

const moreHoles: ReadonlyArray<Row> = [
  {
    ...long,
    name: "two-holes.webm",
    runs: from(
      "long.wav",
      ...["-af", "aselect='not(between(t,1.5,2.5))*not(between(t,3,4.5))'", "-c:a", "libopus"]
    )
  },
  {
    ...long,
    name: "hole-fragments.mp4",
    runs: from(
      "long.wav",
      ...["-af", "aselect='not(between(t,1.5,3.5))'", "-c:a", "aac"],
      ...["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "500000"]
    )
  }
]

const film = ["-f", "lavfi", "-i", "color=c=black:s=64x48:r=5:d=6"]

/** Recordings in which the audio begins after the video. */
const late: ReadonlyArray<Row> = (
  [
    ["late.mp4", "mpeg4", "aac"],
    ["late.webm", "libvpx", "libopus"],
    ["late.wmv", "wmv2", "wmav2"]
  ] as const
).map(([name, picture, codec]) => ({
  name,
  runs: [[...film, "-itsoffset", "1.5", "-i", "/plain.wav", "-c:v", picture, "-c:a", codec]],
  seconds: 5.5,
  tones: [
    [low, 2],
    [high, 4.5]
  ]
}))

/** Recordings with zeros instead of a tenth of the file, in the middle. */
const damage = (bytes: Buffer): Buffer => {
  const damaged = Buffer.from(bytes)
  return damaged.fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55))
}

const lost: ReadonlyArray<Row> = (
  [
    ["lost.webm", "libopus"],
    ["lost.mp4", "aac"]
  ] as const
).map(([name, codec]) => ({
  ...long,
  name,
  runs: from("humming.wav", "-c:a", codec),
  edit: damage
}))

/**
 * Files that consist of several recordings. The decoded audio is as long as all recordings
 * together.
 */
const joined: ReadonlyArray<Row> = (
  [
    ["joined.ogg", "libvorbis", "44100"],
    ["joined-rates.ogg", "libvorbis", "22050"],
    ["joined.mp3", "libmp3lame", "44100"],
    ["joined.aac", "aac", "44100"],
    ["joined.webm", "libopus", "48000"]
  ] as const
).map(([name, codec, rate]) => ({
  name,
  runs: [
    ["-i", "/first.wav", "-c:a", codec, `/part-${name}`],
    ["-i", "/second.wav", "-c:a", codec, "-ar", rate]
  ],
  edit: (bytes, made) => Buffer.concat([made.get(`part-${name}`) ?? bytes, bytes]),
  seconds: 8,
  tones: [
    [low, 0.5],
    [high, 6]
  ]
}))

/** Returns the first half of a file. */
const halve = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))

/** Files that declare their full length, but are cut in half. */
export const cutFiles: ReadonlyArray<readonly [name: string, runs: Row["runs"]]> = [
  ["cut.wav", from("humming.wav", "-c:a", "pcm_s16le")],
  ["cut.mp3", from("humming.wav", "-c:a", "libmp3lame")],
  ["cut.m4a", from("humming.wav", "-c:a", "aac", "-movflags", "faststart")],
  ["cut.webm", from("humming.wav", "-c:a", "libopus")],
  ["cut-film.mkv", [[...film, "-i", "/humming.wav", "-c:v", "mpeg4", "-c:a", "ac3"]]],
  [
    "cut-film.mp4",
    [[...film, "-i", "/humming.wav", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "faststart"]]
  ]
]

/** Complete files that have a video longer than the audio, or declare no length or a wrong one. */
const whole: ReadonlyArray<Row> = [
  ...["long-film.mp4", "long-film.mkv"].map((name) => ({
    ...plain,
    name,
    runs: [[...film, "-i", "/plain.wav", "-c:v", "mpeg4", "-c:a", "aac"]]
  })),
  ...(
    [
      ["streamed.wav", 0xffffffff],
      ["wrong-length.wav", 100]
    ] as const
  ).map(([name, length]) => ({
    ...plain,
    name,
    runs: from("plain.wav", "-c:a", "pcm_s16le"),
    edit: (bytes: Buffer) => {
      const edited = Buffer.from(bytes)
      edited.writeUInt32LE(length, edited.indexOf("data") + 4)
      return edited
    }
  }))
]

/** All recordings that can be decoded completely. */
export const rows: ReadonlyArray<Row> = [
  ...[...formats, ...holes, ...moreHoles, ...late, ...lost, ...joined],
  ...[...sides, ...whole]
]

/** This build of ffmpeg crashes if it encodes Opus with two channels. */
const inMono = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.includes("libopus") ? [...words, "-ac", "1"] : words

/** A file of a few kilobytes that claims to be five hours long. */
export const endless = "endless.webm"
const endlessRuns = from(
  "first.wav",
  ...["-af", "asetpts=PTS+gte(T\\,1)*18000/TB", "-c:a", "libopus", "-b:a", "16k"]
)

/** All inputs, and the ffmpeg runs that turn them into files. */
export const encoding: Encoding = {
  inputs,
  runs: [
    ...rows,
    ...[...cutFiles, [endless, endlessRuns] as const].map(([name, runs]) => ({ name, runs }))
  ].flatMap(({ name, runs }) =>
    runs.map((words, index) => (index === runs.length - 1 ? [...inMono(words), `/${name}`] : words))
  )
}

/** Returns the bytes of a file, edited or truncated as its row says. */
export const bytesOf = (name: string, made: ReadonlyMap<string, Buffer>): Buffer => {
  const bytes = made.get(name) ?? Buffer.alloc(0)
  if (cutFiles.some(([each]) => each === name)) return halve(bytes)
  return rows.find((row) => row.name === name)?.edit?.(bytes, made) ?? bytes
}
