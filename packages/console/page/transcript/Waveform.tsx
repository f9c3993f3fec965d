/** A slider that shows the recording's waveform or, without peaks, the spans of speech. */
import { useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { theme } from "../ui/Theme.ts"
import { formatTime, segmentAt } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"

/** The widths of a bar and the following gap, in pixels. */
const bar = { width: 2, gap: 1 } as const

type Drawing = Readonly<{ bars: ReadonlyArray<number>; share: number }>
const draw = (canvas: HTMLCanvasElement, { bars, share }: Drawing): void => {
  const context = canvas.getContext("2d")
  if (context === null) return
  // Scripts cannot read custom properties, so the style sheet sets these three properties.
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

const barsOf = (
  { peaks, transcript: { player, segments } }: Props,
  count: number
): ReadonlyArray<number> =>
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
