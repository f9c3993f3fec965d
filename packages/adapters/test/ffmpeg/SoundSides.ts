/** Lists test recordings that have several channels or tracks, all of which a decoder must keep. */
import { channelCounts, high, low, third, tonesOf } from "./SoundInputs.ts"
import { from, plain, type Row } from "./SoundRow.ts"

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
export const sides: ReadonlyArray<Row> = [
  ...microphones,
  ...surround,
  ...opposites,
  ...severalTracks
]
