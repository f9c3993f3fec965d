/** Tracks the position in the recording or, without a recording, the user's clicks. */
import { computed, signal } from "@preact/signals"
import { repairMp3 } from "./Mp3.ts"

export const stepSeconds = 5

/** The largest relative error in a browser's estimate of the duration that users do not notice. */
const toleratedShare = 0.01

const makeState = (address: string) => {
  const [duration, measured] = [signal(0), signal(0)]
  return {
    address: signal(address),
    seconds: signal(0),
    isPlaying: signal(false),
    /** Whether there is a recording. Unknown until the browser has requested the recording. */
    sound: signal<"asking" | "none" | "there">("asking"),
    duration,
    /** The duration that the browser estimates from the file's header. */
    measured,
    isOff: computed(
      () =>
        measured.value > 0 &&
        Math.abs(measured.value - duration.value) > toleratedShare * duration.value
    ),
    hasPicture: signal(false),
    /** The end of the voice sample that is being played, which does not move the position. */
    stopAt: signal(Number.POSITIVE_INFINITY),
    rate: signal(1),
    ending: new AbortController()
  }
}

type State = ReturnType<typeof makeState>

const makeMediaEvents = (state: State, element: () => HTMLVideoElement | undefined) => {
  const { address, duration, isOff, isPlaying, measured, seconds, sound, stopAt } = state
  let frame = 0
  const rest = (): void => cancelAnimationFrame(frame)
  const isSample = (): boolean => stopAt.peek() < Number.POSITIVE_INFINITY
  const follow = (): void => {
    rest()
    const media = element()
    if (media === undefined) return
    if (!isSample()) seconds.value = media.currentTime
    if (media.paused) return
    if (media.currentTime >= stopAt.peek()) media.pause()
    else frame = requestAnimationFrame(follow)
  }
  const events = {
    onLoadedMetadata: async (): Promise<void> => {
      const media = element()
      if (media === undefined) return
      state.hasPicture.value = media.videoWidth > 0
      if (Number.isFinite(media.duration)) measured.value = media.duration
      // The server has decoded the recording. A browser estimates from the file's header.
      if (duration.peek() === 0) duration.value = measured.peek()
      const { signal } = state.ending
      if (isOff.peek() && !address.peek().startsWith("blob:")) {
        const copy = await repairMp3(address.peek(), duration.peek(), signal).catch(() => undefined)
        if (copy !== undefined) {
          address.value = copy
          return
        }
      }
      sound.value = "there"
      media.currentTime = seconds.peek()
    },
    onError: (): void => {
      sound.value = "none"
    },
    onPlay: (): void => {
      isPlaying.value = true
      follow()
    },
    onPause: (): void => {
      // The event arrives after the pause, when the next sample may already be playing.
      const media = element()
      if (media?.paused !== true) return
      isPlaying.value = false
      if (isSample()) media.currentTime = seconds.peek()
      stopAt.value = Number.POSITIVE_INFINITY
      follow()
    },
    onSeeked: follow
  }
  return { events, rest }
}

/** `play` does nothing without a recording. `onSeek` is called when the user seeks. */
export const makePlayer = (address: string, onSeek: () => void) => {
  const state = makeState(address)
  const { duration, rate, seconds, sound, stopAt } = state
  let media: HTMLVideoElement | undefined
  const { events, rest } = makeMediaEvents(state, () => media)
  const clamp = (to: number): number => Math.min(Math.max(0, to), duration.peek() || Infinity)
  const seek = (to: number): void => {
    onSeek()
    stopAt.value = Number.POSITIVE_INFINITY
    seconds.value = clamp(to)
    if (media !== undefined && sound.peek() === "there") media.currentTime = seconds.peek()
  }
  const play = (): void => {
    if (sound.peek() === "there") void media?.play().catch(() => undefined)
  }
  const playFrom = (to: number): void => {
    seek(to)
    play()
  }
  return {
    ...state,
    events,
    attach: (element: HTMLVideoElement | null): void => {
      media = element ?? undefined
    },
    seek,
    play,
    step: (by: number) => seek(seconds.peek() + by),
    playFrom,
    /** Plays a part, and then returns to the position. Stops a sample that is being played. */
    playSample: ({ end, start }: { readonly start: number; readonly end: number }): void => {
      if (stopAt.peek() === end && media?.paused === false) {
        media.pause()
        return
      }
      stopAt.value = end
      if (media !== undefined) media.currentTime = start
      play()
    },
    toggle: (): void => {
      if (media === undefined || sound.peek() !== "there") return
      if (media.paused) play()
      else media.pause()
    },
    setRate: (to: number): void => {
      rate.value = to
      if (media !== undefined) media.playbackRate = to
    },
    end: (): void => {
      rest()
      media?.pause()
      state.ending.abort()
      URL.revokeObjectURL(state.address.peek())
    }
  }
}
