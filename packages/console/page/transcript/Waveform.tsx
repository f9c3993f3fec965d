/**
 * Draws the waveform of the recording, or the spans of speech if no peaks are stored. The waveform
 * works as a slider, with pointer or keyboard.
 */
import { useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { theme } from "../ui/Theme.ts"
import { formatTime, type Segment, segmentAt } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"

/** The widths of a bar and the following gap, in pixels. */
const bar = { width: 2, gap: 1 } as const

/** Returns the highest peak in a range, from 0 to 1. */
const loudnessOf = (peaks: ReadonlyArray<number>, from: number, to: number): number => {
  let most = 0
  const end = Math.max(from + 1, to)
  for (let at = from; at < end; at += 1) most = Math.max(most, peaks[at] ?? 0)
  return most
}

const barsOf = (
  count: number,
  props: {
    readonly peaks: ReadonlyArray<number> | undefined
    readonly segments: ReadonlyArray<Segment>
    readonly duration: number
  }
): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => {
    const { duration, peaks, segments } = props
    if (peaks !== undefined) {
      const at = (share: number) => Math.floor((share / count) * peaks.length)
      return loudnessOf(peaks, at(index), at(index + 1))
    }
    const from = (index / count) * duration
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
  // Scripts cannot read resolved custom properties, but they can read these three properties, which
  // the style sheet sets.
  const { borderTopColor: rest, color, outlineColor: accent } = getComputedStyle(canvas)
  const { height, width } = canvas
  const scale = width / Math.max(1, canvas.clientWidth)
  context.clearRect(0, 0, width, height)
  const played = share * width
  for (const [index, loudness] of bars.entries()) {
    const x = index * (bar.width + bar.gap) * scale
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

interface Props {
  readonly transcript: Transcript
  readonly peaks: ReadonlyArray<number> | undefined
}

/** Redraws the waveform on every change. Returns the canvas. */
const useDrawing = ({ peaks, transcript: { player, segments } }: Props) => {
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

export const Waveform = (props: Props) => {
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
