/** Where one is in the recording: as the sound goes, or, without a recording, as one moves. */
import { signal } from "@preact/signals"

/** How far the arrows go, in seconds. */
export const stepSeconds = 5

/** Makes a player. `play` does nothing where there is no recording. */
export const makePlayer = () => {
  const seconds = signal(0)
  const isPlaying = signal(false)
  /** Whether there is a recording: not known before the browser has asked for it. */
  const sound = signal<"asking" | "none" | "there">("asking")
  const duration = signal(0)
  const rate = signal(1)
  let audio: HTMLAudioElement | undefined
  let frame = 0

  const follow = (): void => {
    if (audio === undefined) return
    seconds.value = audio.currentTime
    if (!audio.paused) frame = requestAnimationFrame(follow)
  }
  const clamp = (to: number): number => Math.min(Math.max(0, to), duration.peek() || Infinity)
  const seek = (to: number): void => {
    seconds.value = clamp(to)
    if (audio !== undefined && sound.peek() === "there") audio.currentTime = seconds.peek()
  }
  const play = (): void => {
    if (sound.peek() === "there") void audio?.play().catch(() => undefined)
  }
  const attach = (element: HTMLAudioElement | null): void => {
    audio = element ?? undefined
  }
  return {
    seconds,
    isPlaying,
    sound,
    duration,
    rate,
    attach,
    seek,
    play,
    step: (by: number) => seek(seconds.peek() + by),
    /** Goes there, and goes on playing where it plays. */
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
    /** What the element tells. */
    events: {
      onLoadedMetadata: (): void => {
        sound.value = "there"
        if (audio === undefined) return
        if (Number.isFinite(audio.duration)) duration.value = audio.duration
        audio.currentTime = seconds.peek()
      },
      onError: (): void => {
        sound.value = "none"
      },
      onPlay: (): void => {
        isPlaying.value = true
        cancelAnimationFrame(frame)
        frame = requestAnimationFrame(follow)
      },
      onPause: (): void => {
        isPlaying.value = false
        cancelAnimationFrame(frame)
        follow()
      },
      onSeeked: follow
    },
    end: (): void => {
      cancelAnimationFrame(frame)
      audio?.pause()
    }
  }
}
