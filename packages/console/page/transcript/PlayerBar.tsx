/** Shows the player, with a video's image, the controls, and the waveform. */
import { useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { api } from "../Api.ts"
import { Button, Icon } from "../ui/Button.tsx"
import { Select } from "../ui/Forms.tsx"
import { useLoaded } from "../ui/Loaded.tsx"
import { theme } from "../ui/Theme.ts"
import { findEditor } from "./BlockEditor.tsx"
import { formatTime, segmentAt } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"

/** Reads the loudness over time, from 0 to 1. The server sends a minimum and a maximum per span. */
const readPeaks = async (id: string, signal: AbortSignal) => {
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

const noteOf = ({ duration, isOff, measured, sound }: Transcript["player"]): string => {
  if (sound.value === "none") {
    return "The recording is no longer kept, so it cannot be played. The transcript remains."
  }
  if (!isOff.value) return ""
  const start =
    `The file's header gives this browser a length of ${formatTime(measured.value)} ` +
    `instead of ${formatTime(duration.value)}.`
  return sound.value === "asking"
    ? `${start} The file is being loaded completely.`
    : `${start} Sound and text may be out of step; a download plays completely.`
}

export const PlayerBar = ({ transcript }: { readonly transcript: Transcript }) => {
  const { id, player } = transcript
  const peaks = useLoaded(id, (signal) => readPeaks(id, signal))
  const hasSound = player.sound.value === "there"
  const note = noteOf(player)
  return (
    <section class="player box stack-3" aria-label="Recording">
      <video
        ref={player.attach}
        src={player.address.value}
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
      <span class="player-clock">
        {formatTime(player.seconds.value)}{" "}
        <span class="hint">/ {formatTime(player.duration.value)}</span>
      </span>
      {hasSound ? (
        <span class="bar">
          <FollowButton transcript={transcript} />
          <Select
            label="Speed"
            options={rates}
            value={String(player.rate.value)}
            onChange={(rate) => player.setRate(Number(rate))}
          />
        </span>
      ) : null}
      {note && (
        <p class="player-note bar hint">
          <Icon name="alert" />
          {note}
        </p>
      )}
    </section>
  )
}

const bar = { width: 2, gap: 1 } as const
type Drawing = Readonly<{ bars: ReadonlyArray<number>; share: number }>
const draw = (canvas: HTMLCanvasElement, { bars, share }: Drawing): void => {
  const context = canvas.getContext("2d")
  if (context === null) return
  // Scripts cannot read custom properties, so the style sheet sets two properties.
  const { borderTopColor: rest, color, outlineColor: accent } = getComputedStyle(canvas)
  const { clientHeight: height, clientWidth: width } = canvas
  context.clearRect(0, 0, width, height)
  const played = share * width
  for (const [index, loudness] of bars.entries()) {
    const x = index * (bar.width + bar.gap)
    const tall = Math.max(2, loudness * height * 0.92)
    context.fillStyle = x < played ? accent : rest
    context.fillRect(x, (height - tall) / 2, bar.width, tall)
  }
  context.fillStyle = color
  context.fillRect(Math.min(width - 2, played), 0, 2, height)
}

const keyMoves: Readonly<Record<string, number>> = {
  ArrowLeft: -stepSeconds,
  ArrowDown: -stepSeconds,
  ArrowRight: stepSeconds,
  ArrowUp: stepSeconds,
  PageUp: 60,
  PageDown: -60,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY
}

type Props = Readonly<{ transcript: Transcript; peaks: ReadonlyArray<number> | undefined }>
const barsOf = ({ peaks, transcript: { player, segments } }: Props, count: number) =>
  Array.from({ length: count }, (_, index) => {
    if (peaks !== undefined) {
      const at = (share: number) => Math.floor((share / count) * peaks.length)
      return Math.max(0, ...peaks.slice(at(index), Math.max(at(index) + 1, at(index + 1))))
    }
    const duration = player.duration.peek()
    const from = (index / count) * duration
    const segment = segments.peek()[segmentAt(segments.peek(), from + duration / count)]
    return segment !== undefined && segment.end >= from ? 0.42 : 0.06
  })

const useDrawing = (props: Props) => {
  const { player, segments } = props.transcript
  const canvas = useRef<HTMLCanvasElement>(null)
  const bars = useRef<ReadonlyArray<number>>([])
  const paint = (): void => {
    const share = player.seconds.value / Math.max(1, player.duration.value)
    if (canvas.current !== null) draw(canvas.current, { bars: bars.current, share })
  }
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    // The observer also reports the first size.
    const observer = new ResizeObserver(() => {
      const scale = window.devicePixelRatio
      element.width = Math.round(element.clientWidth * scale)
      element.height = Math.round(element.clientHeight * scale)
      element.getContext("2d")?.scale(scale, scale)
      bars.current = barsOf(props, Math.floor(element.clientWidth / (bar.width + bar.gap)))
      paint()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [props.peaks, segments.value.length, player.duration.value])
  useSignalEffect(() => {
    void theme.value
    paint()
  })
  return canvas
}

const Waveform = (props: Props) => {
  const { player } = props.transcript
  const canvas = useDrawing(props)
  const seekTo = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    player.seek(((event.clientX - left) / width) * player.duration.value)
  }
  const { value: seconds } = player.seconds
  return (
    <div
      class={props.peaks === undefined ? "waveform" : "waveform is-measured"}
      role="slider"
      tabIndex={0}
      aria-label="Position in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(player.duration.value)}
      aria-valuenow={Math.round(seconds)}
      aria-valuetext={`${formatTime(seconds)} of ${formatTime(player.duration.value)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event)
      }}
      onKeyDown={(event) => {
        const by = keyMoves[event.key]
        if (by === undefined) return
        event.preventDefault()
        event.stopPropagation()
        player.seek(Number.isFinite(by) ? seconds + by : by < 0 ? 0 : player.duration.value)
      }}
    >
      <canvas ref={canvas} />
    </div>
  )
}
