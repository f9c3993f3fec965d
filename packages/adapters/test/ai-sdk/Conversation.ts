/** One conversation, and the responses in which each provider's API reports its speakers. */

export const text = "Good morning, all. Hello."

/** The spoken words, each with the speaker and with timestamps in milliseconds. */
export const said = [
  { text: "Good", speaker: 0, from: 100, to: 400 },
  { text: "morning,", speaker: 0, from: 400, to: 800 },
  { text: "all.", speaker: 0, from: 800, to: 1_000 },
  { text: "Hello.", speaker: 1, from: 1_500, to: 2_000 }
]

export const bareText = (word: string) => word.toLowerCase().replace(/[,.]/g, "")

const times = ({ from, to }: { from: number; to: number }) => ({
  start: from / 1_000,
  end: to / 1_000
})

export const seconds = (word: { from: number; to: number }) => ({
  startSecond: word.from / 1_000,
  endSecond: word.to / 1_000
})

/** The turns of the speakers, with their words and text. */
export const turns = [said.slice(0, 3), said.slice(3)].map((words, speaker) => ({
  speaker,
  words,
  text: words.map((word) => word.text).join(" "),
  from: words[0]?.from ?? 0,
  to: words.at(-1)?.to ?? 0
}))

/** The JSON of a finished transcription, as each provider's API returns it. */
export const bodies = {
  assemblyai: {
    id: "1",
    status: "completed",
    text,
    utterances: turns.map((turn) => ({
      ...{ speaker: "AB"[turn.speaker] ?? "", start: turn.from, end: turn.to },
      text: turn.text,
      words: turn.words.map((word) => ({ text: word.text, start: word.from, end: word.to }))
    }))
  },
  deepgram: {
    results: {
      channels: [
        {
          alternatives: [
            {
              transcript: text,
              words: said.map((word) => ({
                word: bareText(word.text),
                punctuated_word: word.text,
                speaker: word.speaker,
                ...times(word)
              }))
            }
          ]
        }
      ]
    }
  },
  elevenlabs: {
    language_code: "en",
    language_probability: 1,
    text,
    words: said.flatMap((word) => [
      { text: word.text, type: "word", ...times(word), speaker_id: `speaker_${word.speaker}` },
      { text: " ", type: "spacing", start: 0, end: 0, speaker_id: `speaker_${word.speaker}` }
    ])
  },
  fal: {
    text,
    chunks: turns.map((turn) => ({
      text: ` ${turn.text}`,
      timestamp: [turn.from / 1_000, turn.to / 1_000],
      speaker: `SPEAKER_0${turn.speaker}`
    }))
  },
  gladia: {
    status: "done",
    result: {
      metadata: { audio_duration: 3 },
      transcription: {
        full_transcript: text,
        languages: ["en"],
        utterances: turns.map((turn) => ({
          ...{ text: turn.text, speaker: turn.speaker, ...times(turn) },
          words: turn.words.map((word) => ({ word: ` ${word.text}`, ...times(word) }))
        }))
      }
    }
  },
  mistral: {
    model: "voxtral-mini-latest",
    text,
    segments: turns.map((turn) => ({
      ...{ type: "transcription_segment", text: turn.text, ...times(turn) },
      speaker_id: `speaker_${turn.speaker + 1}`
    }))
  },
  openai: {
    text,
    segments: turns.map((turn) => ({
      ...{ type: "transcript.text.segment", id: `seg_${turn.speaker}`, ...times(turn) },
      ...{ text: turn.text, speaker: "AB"[turn.speaker] ?? "" }
    }))
  },
  revai: {
    monologues: turns.map(({ speaker, words }) => ({
      speaker,
      elements: words.flatMap((word) => [
        {
          type: "text",
          value: word.text.replace(/\W+$/, ""),
          ts: word.from / 1e3,
          end_ts: word.to / 1e3
        },
        { type: "punct", value: `${word.text.replace(/^\w+/, "")} ` }
      ])
    }))
  },
  xai: {
    text,
    words: said.map(({ speaker, text, ...word }) => ({ text, ...times(word), speaker }))
  }
}
