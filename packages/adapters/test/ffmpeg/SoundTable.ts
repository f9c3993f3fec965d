/**
 * The table of sound: recordings of every kind, how each is made, how long it is, and which tones
 * are heard in it, and when.
 */
import type { Tracks } from "@verbatim/core/transcription"
import type { Encoding } from "./Encoder.ts"
import { type Beep, toWav } from "./Tones.ts"

/** A tone in Hz, and the second at which it begins. */
export type Heard = readonly [hz: number, at: number]

/** A recording, and what a decoder gives. */
export interface Row {
  /** Also the name of its file. */
  readonly name: string
  /** How ffmpeg makes it, and files that it is made of. The name of the file is added to the last. */
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
  /** What is done to its bytes, or makes them of other files. */
  readonly edit?: (bytes: Buffer, made: ReadonlyMap<string, Buffer>) => Buffer
  readonly tracks?: Tracks
  readonly seconds: number
  readonly tones: ReadonlyArray<Heard>
  /** Tones of tracks that are not heard. */
  readonly unheard?: ReadonlyArray<number>
  readonly warnings?: ReadonlyArray<object>
}

const [low, high, third] = [500, 800, 1_100]
const first: Beep = { hz: low, at: 0.5 }

/** Something in every packet. */
const hum = (seconds: number): Beep => ({ hz: 300, at: 0, seconds, gain: 0.2 })

const both = (channel: ReadonlyArray<Beep>) => [channel, channel]

const plainBeeps = [first, { hz: high, at: 3 }, hum(4)]
const longBeeps = [first, { hz: high, at: 5 }]
const tonesOf = (count: number) =>
  Array.from({ length: count }, (_, channel) => ({ hz: 400 + 50 * channel, at: 1 }))

const channelCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32, 48, 64]

/** The sound that everything is made of. */
export const inputs: Encoding["inputs"] = {
  "plain.wav": toWav({ rate: 44_100, seconds: 4, channels: both(plainBeeps) }),
  "mono.wav": toWav({ rate: 16_000, seconds: 4, channels: [plainBeeps] }),
  "phone.wav": toWav({ rate: 8_000, seconds: 4, channels: [plainBeeps] }),
  "long.wav": toWav({ rate: 44_100, seconds: 6, channels: both(longBeeps) }),
  "humming.wav": toWav({ rate: 44_100, seconds: 6, channels: both([...longBeeps, hum(6)]) }),
  "first.wav": toWav({ rate: 44_100, seconds: 4, channels: [[first]] }),
  "second.wav": toWav({ rate: 44_100, seconds: 4, channels: [[{ hz: high, at: 2 }]] }),
  "third.wav": toWav({ rate: 44_100, seconds: 3, channels: [[{ hz: third, at: 2.5 }]] }),
  "silent.wav": toWav({ rate: 44_100, seconds: 4, channels: [[]] }),
  "opposite.wav": toWav({
    rate: 44_100,
    seconds: 4,
    channels: [plainBeeps, plainBeeps.map((beep) => ({ ...beep, gain: -(beep.gain ?? 1) }))]
  }),
  "half-opposite.wav": toWav({
    rate: 44_100,
    seconds: 4,
    channels: [
      [first, { hz: high, at: 2, seconds: 1.5 }],
      [first, { hz: high, at: 2, seconds: 1.5, gain: -1 }]
    ]
  }),
  "surround.wav": toWav({
    rate: 48_000,
    seconds: 2,
    mask: 0x3f,
    channels: tonesOf(6).map((b) => [b])
  }),
  "wide.wav": toWav({
    rate: 48_000,
    seconds: 2,
    mask: 0x63f,
    channels: tonesOf(8).map((b) => [b])
  }),
  ...Object.fromEntries(
    channelCounts.map((count) => [
      `${count}-microphones.wav`,
      toWav({ rate: 16_000, seconds: 2, channels: tonesOf(count).map((beep) => [beep]) })
    ])
  )
}

const plain = {
  seconds: 4,
  tones: [
    [low, 0.5],
    [high, 3]
  ]
} as const
const long = {
  seconds: 6,
  tones: [
    [low, 0.5],
    [high, 5]
  ]
} as const

const from = (input: string, ...words: ReadonlyArray<string>): Row["runs"] => [
  ["-i", `/${input}`, ...words]
]

/** One recording in each format and coding. */
const formats: ReadonlyArray<Row> = (
  [
    ["s16.wav", "plain.wav", "-c:a", "pcm_s16le"],
    ["s24.wav", "plain.wav", "-c:a", "pcm_s24le"],
    ["f32.wav", "plain.wav", "-c:a", "pcm_f32le"],
    ["f64.wav", "plain.wav", "-c:a", "pcm_f64le"],
    ["u8.wav", "plain.wav", "-c:a", "pcm_u8"],
    ["a-law.wav", "phone.wav", "-c:a", "pcm_alaw"],
    ["mu-law.wav", "phone.wav", "-c:a", "pcm_mulaw"],
    ["adpcm-ms.wav", "plain.wav", "-c:a", "adpcm_ms"],
    ["adpcm-ima.wav", "plain.wav", "-c:a", "adpcm_ima_wav"],
    ["mp3-in.wav", "plain.wav", "-c:a", "libmp3lame"],
    ["rf64.wav", "plain.wav", "-rf64", "always"],
    ["flac.flac", "plain.wav"],
    ["xing.mp3", "plain.wav", "-c:a", "libmp3lame"],
    ["variable.mp3", "plain.wav", "-c:a", "libmp3lame", "-q:a", "6"],
    ["no-xing.mp3", "plain.wav", "-c:a", "libmp3lame", "-write_xing", "0"],
    ["adts.aac", "plain.wav", "-c:a", "aac"],
    ["vorbis.ogg", "plain.wav", "-c:a", "libvorbis"],
    ["opus.ogg", "plain.wav", "-c:a", "libopus"],
    ["flac.oga", "plain.wav", "-c:a", "flac"],
    ["aac.m4a", "plain.wav", "-c:a", "aac"],
    ["alac.m4a", "plain.wav", "-c:a", "alac"],
    ["fragments.mp4", "plain.wav", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"],
    ["pcm.mov", "plain.wav", "-c:a", "pcm_s16le"],
    ["opus.mkv", "plain.wav", "-c:a", "libopus"],
    ["flac.mkv", "plain.wav", "-c:a", "flac"],
    ["ac3.mkv", "plain.wav", "-c:a", "ac3"],
    ["pcm.mkv", "plain.wav", "-c:a", "pcm_s16le"],
    ["opus.webm", "plain.wav", "-c:a", "libopus"],
    ["live.webm", "plain.wav", "-c:a", "libopus", "-live", "1"],
    ["vorbis.webm", "plain.wav", "-c:a", "libvorbis"],
    ["mp3.flv", "plain.wav", "-c:a", "libmp3lame"],
    ["aac.flv", "plain.wav", "-c:a", "aac"],
    ["one.wma", "plain.wav", "-c:a", "wmav1"],
    ["two.wma", "plain.wav", "-c:a", "wmav2"],
    ["pcm.avi", "plain.wav", "-c:a", "pcm_s16le"],
    ["ac3.avi", "plain.wav", "-c:a", "ac3"]
  ] as const
).map(([name, input, ...words]) => ({ ...plain, name, runs: from(input, ...words) }))

/** Two seconds are left out where nothing is heard. */
const holes: ReadonlyArray<Row> = (
  [
    ["hole.mkv", "libopus"],
    ["hole-aac.mkv", "aac"],
    ["hole-pcm.mkv", "pcm_s16le"],
    ["hole-flac.mkv", "flac"],
    ["hole.webm", "libopus"],
    ["hole-vorbis.webm", "libvorbis"],
    ["hole.mp4", "aac"],
    ["hole-alac.m4a", "alac"],
    ["hole.mov", "aac"],
    ["hole.flv", "aac"],
    ["hole-mp3.flv", "libmp3lame"],
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

/** The sound begins after the picture. */
const late: ReadonlyArray<Row> = (
  [
    ["late.mp4", "mpeg4", "aac"],
    ["late.mov", "mpeg4", "alac"],
    ["late.mkv", "mpeg4", "ac3"],
    ["late.webm", "libvpx", "libopus"],
    ["late.flv", "flv", "aac"],
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

/** Zeros where packets were: a tenth of the file, in the middle. */
const damage = (bytes: Buffer): Buffer => {
  const damaged = Buffer.from(bytes)
  return damaged.fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55))
}

const lost: ReadonlyArray<Row> = (
  [
    ["lost.webm", "libopus"],
    ["lost.mkv", "flac"],
    ["lost.mp4", "aac"]
  ] as const
).map(([name, codec]) => ({
  ...long,
  name,
  runs: from("humming.wav", "-c:a", codec),
  edit: damage
}))

/** Recordings one after the other in one file: all of their sound is there, and no more. */
const joined: ReadonlyArray<Row> = (
  [
    ["joined.ogg", "libvorbis", "44100"],
    ["joined-rates.ogg", "libvorbis", "22050"],
    ["joined.oga", "libopus", "48000"],
    ["joined.mp3", "libmp3lame", "44100"],
    ["joined-rates.mp3", "libmp3lame", "22050"],
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

/** Each microphone has a tone of its own, and none is lost. */
const microphones: ReadonlyArray<Row> = channelCounts.map((count) => ({
  name: `${count}-channels.wav`,
  runs: from(`${count}-microphones.wav`, "-c:a", "copy"),
  seconds: 2,
  tones: tonesOf(count).map(({ at, hz }) => [hz, at] as const)
}))

const surround: ReadonlyArray<Row> = (
  [
    ["surround-copy.wav", "surround.wav", 6, "copy"],
    ["surround.flac", "surround.wav", 6, "flac"],
    ["wide-copy.wav", "wide.wav", 8, "copy"],
    ["wide.flac", "wide.wav", 8, "flac"],
    ["wide-opus.mkv", "wide.wav", 8, "pcm_s16le"]
  ] as const
).map(([name, input, count, codec]) => ({
  name,
  runs: from(input, "-c:a", codec),
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
  { ...plain, name: "opposite.m4a", runs: from("opposite.wav", "-c:a", "aac"), warnings: cancels },
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
    unheard: [high, third],
    warnings: [ignored(3, 1)]
  },
  {
    name: "second-of-three.mkv",
    runs: [[...allThree, "libopus", "-disposition:a:0", "0", "-disposition:a:1", "default"]],
    seconds: 4,
    tones: [[high, 2]],
    unheard: [low, third],
    warnings: [ignored(3, 2)]
  },
  {
    name: "second-of-three.mp4",
    runs: [[...allThree, "aac", "-disposition:a:0", "0", "-disposition:a:1", "default"]],
    seconds: 4,
    tones: [[high, 2]],
    unheard: [low, third],
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

/** The first half of a file. */
const halve = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))

/** They declare their length, and end at half of it. */
export const cutFiles: ReadonlyArray<readonly [name: string, runs: Row["runs"]]> = [
  ["cut.wav", from("humming.wav", "-c:a", "pcm_s16le")],
  ["cut.flac", from("humming.wav")],
  ["cut.mp3", from("humming.wav", "-c:a", "libmp3lame")],
  ["cut.m4a", from("humming.wav", "-c:a", "aac", "-movflags", "faststart")],
  ["cut.webm", from("humming.wav", "-c:a", "libopus")],
  ["cut.flv", from("humming.wav", "-c:a", "aac")],
  ["cut-film.mkv", [[...film, "-i", "/humming.wav", "-c:v", "mpeg4", "-c:a", "ac3"]]],
  [
    "cut-film.mp4",
    [[...film, "-i", "/humming.wav", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "faststart"]]
  ]
]

/** Nothing is missing from these: their sound ends before their picture, or as they say. */
const whole: ReadonlyArray<Row> = [
  {
    ...plain,
    name: "long-film.mp4",
    runs: [[...film, "-i", "/plain.wav", "-c:v", "mpeg4", "-c:a", "aac"]]
  },
  {
    ...plain,
    name: "long-film.mkv",
    runs: [[...film, "-i", "/plain.wav", "-c:v", "mpeg4", "-c:a", "aac"]]
  },
  {
    ...plain,
    name: "streamed.wav",
    runs: from("plain.wav", "-c:a", "pcm_s16le"),
    edit: (bytes) => {
      const streamed = Buffer.from(bytes)
      streamed.writeUInt32LE(0xffffffff, streamed.indexOf("data") + 4)
      return streamed
    }
  },
  {
    ...plain,
    name: "wrong-length.wav",
    runs: from("plain.wav", "-c:a", "pcm_s16le"),
    edit: (bytes) => {
      const wrong = Buffer.from(bytes)
      wrong.writeUInt32LE(100, wrong.indexOf("data") + 4)
      return wrong
    }
  }
]

/** All that are decoded as a whole. */
export const rows: ReadonlyArray<Row> = [
  ...[...formats, ...holes, ...moreHoles, ...late, ...lost, ...joined],
  ...[...microphones, ...surround, ...opposites, ...severalTracks, ...whole]
]

/** This build of ffmpeg crashes when it makes Opus of two channels. */
const inMono = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.includes("libopus") ? [...words, "-ac", "1"] : words

/** How all files are made. */
export const encoding: Encoding = {
  inputs,
  runs: [...rows, ...cutFiles.map(([name, runs]) => ({ name, runs }))].flatMap(({ name, runs }) =>
    runs.map((words, index) => (index === runs.length - 1 ? [...inMono(words), `/${name}`] : words))
  )
}

/** The bytes of a row, of one that is cut, or of any other that was made. */
export const bytesOf = (name: string, made: ReadonlyMap<string, Buffer>): Buffer => {
  const bytes = made.get(name) ?? Buffer.alloc(0)
  if (cutFiles.some(([each]) => each === name)) return halve(bytes)
  return rows.find((row) => row.name === name)?.edit?.(bytes, made) ?? bytes
}
