/**
 * The sound as it looks, made by the server while it read the recording; where it made none, the
 * stretches in which somebody speaks. It is a slider: by pointer, and by keys.
 */
import { useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { theme } from "../ui/Theme.ts"
import { type Segment, segmentAt, writeMoment } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"

/** Width of a bar and of the gap after it. */
const bar = { width: 2, gap: 1 } as const

/** The louder of the peaks within a share of the recording, from 0 to 1. */
const loudnessOf = (peaks: ReadonlyArray<number>, from: number, to: number): number => {
  let most = 0
  const end = Math.max(from + 1, to)
  for (let at = from; at < end; at += 1) most = Math.max(most, peaks[at] ?? 0)
  return most
}

/** How high each bar stands. */
const barsOf = (
  count: number,
  given: {
    readonly peaks: ReadonlyArray<number> | undefined
    readonly segments: ReadonlyArray<Segment>
    readonly duration: number
  }
): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, place) => {
    const { duration, peaks, segments } = given
    if (peaks !== undefined) {
      const at = (share: number) => Math.floor((share / count) * peaks.length)
      return loudnessOf(peaks, at(place), at(place + 1))
    }
    const from = (place / count) * duration
    const segment = segments[segmentAt(segments, from + duration / count)]
    return segment !== undefined && segment.end >= from ? 0.42 : 0.06
  })

interface Drawing {
  readonly bars: ReadonlyArray<number>
  readonly share: number
}

const draw = (canvas: HTMLCanvasElement, { bars, share }: Drawing): void => {
  const context = canvas.getContext("2d")
  if (context === null) return
  // A custom property is not resolved for scripts; these three are, and the style sheet sets them.
  const { borderTopColor: rest, color, outlineColor: accent } = getComputedStyle(canvas)
  const { height, width } = canvas
  const scale = width / Math.max(1, canvas.clientWidth)
  context.clearRect(0, 0, width, height)
  const played = share * width
  for (const [place, loudness] of bars.entries()) {
    const x = place * (bar.width + bar.gap) * scale
    const tall = Math.max(2 * scale, loudness * height * 0.92)
    context.fillStyle = x < played ? accent : rest
    context.fillRect(x, (height - tall) / 2, bar.width * scale, tall)
  }
  context.fillStyle = color
  context.fillRect(Math.min(width - 2 * scale, played), 0, 2 * scale, height)
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

interface Given {
  readonly transcript: Transcript
  readonly peaks: ReadonlyArray<number> | undefined
}

/** Draws the sound, and again when anything of it changes; gives where. */
const useDrawing = ({ peaks, transcript: { player, segments } }: Given) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const bars = useRef<ReadonlyArray<number>>([])
  const paint = (): void => {
    if (canvas.current === null) return
    const share = player.seconds.value / Math.max(1, player.duration.value)
    draw(canvas.current, { bars: bars.current, share })
  }
  const measure = (): void => {
    const element = canvas.current
    if (element === null) return
    const scale = window.devicePixelRatio
    element.width = Math.round(element.clientWidth * scale)
    element.height = Math.round(element.clientHeight * scale)
    const count = Math.floor(element.clientWidth / (bar.width + bar.gap))
    const duration = player.duration.peek()
    bars.current = barsOf(count, { peaks, segments: segments.peek(), duration })
    paint()
  }
  useEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    if (canvas.current !== null) observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [peaks, segments.value.length, player.duration.value])
  useSignalEffect(() => {
    void theme.value
    paint()
  })
  return canvas
}

/** Shows the sound. */
export const Waveform = (given: Given) => {
  const { player } = given.transcript
  const canvas = useDrawing(given)
  const seekTo = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    player.seek(((event.clientX - left) / width) * player.duration.value)
  }
  const { value: seconds } = player.seconds
  return (
    <div
      class={given.peaks === undefined ? "waveform" : "waveform is-measured"}
      role="slider"
      tabIndex={0}
      aria-label="Place in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(player.duration.value)}
      aria-valuenow={Math.round(seconds)}
      aria-valuetext={`${writeMoment(seconds)} of ${writeMoment(player.duration.value)}`}
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
