/**
 * The position in the recording. The position follows the sound or, if there is no recording, only
 * the user.
 */
import { signal } from "@preact/signals"

/** The seconds that an arrow key moves. */
export const stepSeconds = 5

/** A player's state. */
const makeState = () => ({
  seconds: signal(0),
  isPlaying: signal(false),
  /** Whether there is a recording; unknown until the browser has requested it. */
  sound: signal<"asking" | "none" | "there">("asking"),
  duration: signal(0),
  /** The duration as the browser estimates it; 0 if it does not know. */
  measured: signal(0),
  rate: signal(1)
})

type State = ReturnType<typeof makeState>

/** Handles the audio element's events, and follows its position frame by frame while it plays. */
const makeAudioEvents = (
  { duration, isPlaying, measured, seconds, sound }: State,
  element: () => HTMLAudioElement | undefined
) => {
  let frame = 0
  const follow = (): void => {
    const audio = element()
    if (audio === undefined) return
    seconds.value = audio.currentTime
    if (!audio.paused) frame = requestAnimationFrame(follow)
  }
  const rest = (): void => cancelAnimationFrame(frame)
  const events = {
    onLoadedMetadata: (): void => {
      sound.value = "there"
      const audio = element()
      if (audio === undefined) return
      if (Number.isFinite(audio.duration)) measured.value = audio.duration
      // The server has decoded the whole recording; a browser estimates from the file's header.
      if (duration.peek() === 0) duration.value = measured.peek()
      audio.currentTime = seconds.peek()
    },
    onError: (): void => {
      sound.value = "none"
    },
    onPlay: (): void => {
      isPlaying.value = true
      rest()
      frame = requestAnimationFrame(follow)
    },
    onPause: (): void => {
      isPlaying.value = false
      rest()
      follow()
    },
    onSeeked: follow
  }
  return { events, rest }
}

/**
 * Makes a player. `play` does nothing if there is no recording; `onSeek` is called when the user
 * moves in the recording.
 */
export const makePlayer = (onSeek: () => void) => {
  const state = makeState()
  const { duration, rate, seconds, sound } = state
  let audio: HTMLAudioElement | undefined
  const { events, rest } = makeAudioEvents(state, () => audio)
  const clamp = (to: number): number => Math.min(Math.max(0, to), duration.peek() || Infinity)
  const seek = (to: number): void => {
    onSeek()
    seconds.value = clamp(to)
    if (audio !== undefined && sound.peek() === "there") audio.currentTime = seconds.peek()
  }
  const play = (): void => {
    if (sound.peek() === "there") void audio?.play().catch(() => undefined)
  }
  return {
    ...state,
    /** Event handlers for the audio element. */
    events,
    attach: (element: HTMLAudioElement | null): void => {
      audio = element ?? undefined
    },
    seek,
    play,
    step: (by: number) => seek(seconds.peek() + by),
    /** Moves to a time and plays from there. */
    playFrom: (to: number): void => {
      seek(to)
      play()
    },
    toggle: (): void => {
      if (audio === undefined || sound.peek() !== "there") return
      if (audio.paused) play()
      else audio.pause()
    },
    setRate: (to: number): void => {
      rate.value = to
      if (audio !== undefined) audio.playbackRate = to
    },
    end: (): void => {
      rest()
      audio?.pause()
    }
  }
}
