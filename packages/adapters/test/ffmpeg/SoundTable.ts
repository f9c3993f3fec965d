/**
 * Lists recordings of every kind: how to create each, how long it is, and which tones occur at
 * which times.
 */
import type { Encoding } from "./Encoder.ts"
import { channelCounts, high, inputs, low, third, tonesOf } from "./SoundInputs.ts"
import { from, long, plain, type Row } from "./SoundRow.ts"

/** Each microphone has its own tone, and no tone is lost. */
const microphones: ReadonlyArray<Row> = channelCounts.map((count) => ({
  name: `${count}-channels.wav`,
  runs: from(`${count}-microphones.wav`, "-c:a", "copy"),
  seconds: 2,
  tones: tonesOf(count).map(({ at, hz }) => [hz, at] as const)
}))

/** Recordings with surround sound, whose channels are named by their place in a room. */
const surround: ReadonlyArray<Row> = [6, 8].map((count) => ({
  name: `${count}-channels.flac`,
  runs: from(`${count}-microphones.wav`, "-c:a", "flac"),
  seconds: 2,
  tones: tonesOf(count).map(({ at, hz }) => [hz, at] as const)
}))

const cancels = [{ _tag: "ChannelsCancel" }]

const opposites: ReadonlyArray<Row> = [
  {
    ...plain,
    name: "opposite-copy.wav",
    runs: from("opposite.wav", "-c:a", "copy"),
    warnings: cancels
  },
  {
    name: "half-opposite.flac",
    runs: from("half-opposite.wav"),
    seconds: 4,
    tones: [
      [low, 0.5],
      [high, 2]
    ],
    warnings: cancels
  }
]

const three = ["-i", "/first.wav", "-i", "/second.wav", "-i", "/third.wav"]
const allThree = [...three, "-map", "0", "-map", "1", "-map", "2", "-c:a"]
const silentAndSecond = ["-i", "/silent.wav", "-i", "/second.wav", "-map", "0", "-map", "1"]
const ignored = (trackCount: number, track: number) => ({
  _tag: "TracksIgnored",
  trackCount,
  track
})

const severalTracks: ReadonlyArray<Row> = [
  {
    name: "first-of-three.mp4",
    runs: [[...allThree, "aac"]],
    seconds: 4,
    tones: [[low, 0.5]],
    absent: [high, third],
    warnings: [ignored(3, 1)]
  },
  {
    name: "second-of-three.mkv",
    runs: [[...allThree, "libopus", "-disposition:a:0", "0", "-disposition:a:1", "default"]],
    seconds: 4,
    tones: [[high, 2]],
    absent: [low, third],
    warnings: [ignored(3, 2)]
  },
  {
    name: "silent-of-two.mov",
    runs: [[...silentAndSecond, "-c:a", "alac"]],
    seconds: 4,
    tones: [],
    warnings: [ignored(2, 1), { _tag: "Silent", track: 1, soundingTrack: 2 }]
  },
  {
    name: "silent.flac",
    runs: from("silent.wav"),
    seconds: 4,
    tones: [],
    warnings: [{ _tag: "Silent", track: 1 }]
  },
  ...(["mix", "speakers"] as const).flatMap(
    (tracks): ReadonlyArray<Row> => [
      {
        name: `${tracks}.mp4`,
        tracks,
        ...(tracks === "speakers" && { speakerCount: 3 }),
        runs: [[...allThree, "aac"]],
        seconds: 4,
        tones: [
          [low, 0.5],
          [high, 2],
          [third, 2.5]
        ]
      },
      {
        name: `${tracks}-starts.mkv`,
        tracks,
        ...(tracks === "speakers" && { speakerCount: 2 }),
        runs: [
          [
            ...["-i", "/first.wav", "-itsoffset", "1.5", "-i", "/second.wav"],
            ...["-map", "0", "-map", "1", "-c:a", "libopus"]
          ]
        ],
        seconds: 5.5,
        tones: [
          [low, 0.5],
          [high, 3.5]
        ]
      },
      {
        ...plain,
        name: `${tracks}-of-one.webm`,
        tracks,
        runs: from("plain.wav", "-c:a", "libopus")
      }
    ]
  )
]

/** All test recordings that have several channels or tracks. */
const sides: ReadonlyArray<Row> = [...microphones, ...surround, ...opposites, ...severalTracks]

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
