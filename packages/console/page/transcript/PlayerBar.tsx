/** Shows the player, with a video's image, the controls, and the waveform. */
import { api, apiAddress } from "../Api.ts"
import { Button, Icon } from "../ui/Button.tsx"
import { Select } from "../ui/Forms.tsx"
import { useLoaded } from "../ui/Loaded.tsx"
import { findEditor } from "./BlockEditor.tsx"
import { formatTime } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"
import { Waveform } from "./Waveform.tsx"

/** Reads the loudness over time, from 0 to 1. The server sends a minimum and a maximum per span. */
const readPeaks = async (
  id: string,
  signal: AbortSignal
): Promise<ReadonlyArray<number> | undefined> => {
  const path = { id }
  const { data } = await api.GET("/transcriptions/{id}/peaks", { params: { path }, signal })
  if (data === undefined) return undefined
  const { peaks } = data
  const loudness = Array.from({ length: Math.floor(peaks.length / 2) }, (_, index) =>
    Math.max(Math.abs(peaks[2 * index] ?? 0), Math.abs(peaks[2 * index + 1] ?? 0))
  )
  const most = loudness.reduce((one, other) => Math.max(one, other), 0)
  return most === 0 ? undefined : loudness.map((value) => value / most)
}

const rates = ["0.75", "1", "1.25", "1.5", "2"].map((rate) => [rate, `${rate} ×`] as const)

/** Scrolls back to the sound if the reader has scrolled away or edits another block. */
const FollowButton = ({ transcript }: { readonly transcript: Transcript }) => {
  const { currentBlock, isFollowing, openBlock, player } = transcript
  const isHeld = openBlock.value >= 0 && openBlock.value !== currentBlock.value
  const isShown = !isFollowing.value || isHeld
  return isShown && player.seconds.value > 0 ? (
    <Button
      class="is-small"
      onClick={() => {
        findEditor(transcript)?.leave()
        // Each change scrolls, even if the page was following before the editor was opened.
        isFollowing.value = false
        isFollowing.value = true
      }}
    >
      Follow the sound
    </Button>
  ) : null
}

const Clock = ({ player }: Pick<Transcript, "player">) => (
  <span class="player-clock">
    {formatTime(player.seconds.value)}{" "}
    <span class="hint">/ {formatTime(player.duration.value)}</span>
  </span>
)

const Rate = ({ player }: Pick<Transcript, "player">) => (
  <Select
    label="Speed"
    options={rates}
    value={String(player.rate.value)}
    onChange={(rate) => player.setRate(Number(rate))}
  />
)

/** The largest relative error in a browser's estimate of the duration that users do not notice. */
const toleratedShare = 0.01

const Note = ({ children }: { readonly children: string }) => (
  <p class="player-note bar hint">
    <Icon name="alert" />
    {children}
  </p>
)

const DurationNote = ({ player }: Pick<Transcript, "player">) => {
  const { value: duration } = player.duration
  const { value: measured } = player.measured
  const isOff = measured > 0 && Math.abs(measured - duration) > toleratedShare * duration
  return isOff ? (
    <Note>
      {`The file's header gives this browser a length of ${formatTime(measured)} instead of ` +
        `${formatTime(duration)}. Sound and text may be out of step; a download plays completely.`}
    </Note>
  ) : null
}

export const PlayerBar = ({ transcript }: { readonly transcript: Transcript }) => {
  const { id, player } = transcript
  const peaks = useLoaded(id, (signal) => readPeaks(id, signal))
  const hasSound = player.sound.value === "there"
  return (
    <section class="player box stack-3" aria-label="Recording">
      <video
        ref={player.attach}
        src={apiAddress(`/v1/transcriptions/${id}/media`)}
        preload="metadata"
        playsInline
        hidden={!player.hasPicture.value}
        {...player.events}
      />
      <button
        type="button"
        class="player-button"
        disabled={!hasSound}
        aria-label={player.isPlaying.value ? "Pause" : "Play"}
        onClick={player.toggle}
      >
        <Icon name={player.isPlaying.value ? "pause" : "play"} />
      </button>
      <Waveform transcript={transcript} peaks={peaks.state.value.value} />
      <Clock player={player} />
      {hasSound ? (
        <span class="bar">
          <FollowButton transcript={transcript} />
          <Rate player={player} />
        </span>
      ) : null}
      {hasSound ? <DurationNote player={player} /> : null}
      {player.sound.value === "none" ? (
        <Note>
          The recording is no longer kept, so it cannot be played. The transcript remains.
        </Note>
      ) : null}
    </section>
  )
}
