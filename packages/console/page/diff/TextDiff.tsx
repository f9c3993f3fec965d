/** Shows two texts side by side, with unchanged parts folded. */
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { compareTexts, type Line, type Pair } from "./Texts.ts"

const around = 3
const foldMin = 4
type Row = Pair | { readonly folded: ReadonlyArray<Pair>; readonly at: number }
const isNearChange = (pairs: ReadonlyArray<Pair>, index: number): boolean =>
  pairs.slice(Math.max(0, index - around), index + around + 1).some(({ isSame }) => !isSame)

const fold = (pairs: ReadonlyArray<Pair>, opened: ReadonlySet<number>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let hidden: Array<Pair> = []
  const close = (end: number): void => {
    const at = end - hidden.length
    if (hidden.length < foldMin || opened.has(at)) rows.push(...hidden)
    else rows.push({ folded: hidden, at })
    hidden = []
  }
  for (const [index, pair] of pairs.entries()) {
    if (pair.isSame && !isNearChange(pairs, index)) {
      hidden.push(pair)
      continue
    }
    close(index)
    rows.push(pair)
  }
  close(pairs.length)
  return rows
}

const sides = {
  left: { className: "is-gone", Mark: "del", word: "Removed" },
  right: { className: "is-new", Mark: "ins", word: "Added" }
} as const

type CellProps = Readonly<{ isSame: boolean; line: Line | undefined; side: keyof typeof sides }>
const Cell = ({ isSame, line, side }: CellProps) => {
  const { className, Mark, word } = sides[side]
  if (line === undefined) return <div class="diff-cell is-missing" />
  return (
    <div class={isSame ? `diff-cell is-same is-${side}` : `diff-cell ${className}`}>
      <span class="diff-number" aria-hidden="true">
        {line.number}
      </span>
      <span class="diff-text" dir="auto">
        {isSame ? null : <span class="hidden">{word}: </span>}
        {line.pieces.map(({ isMarked, text }, index) =>
          // A line that is in only one of the texts needs no highlighted words.
          isMarked && !isSame && line.pieces.length > 1 ? (
            <Mark key={index}>{text}</Mark>
          ) : (
            <span key={index}>{text}</span>
          )
        )}
      </span>
    </div>
  )
}

export const TextDiff = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const opened = useSignal<ReadonlySet<number>>(new Set())
  const pairs = useMemo(() => compareTexts(from, to), [from, to])
  const rows = fold(pairs, opened.value)
  return (
    <div class="diff">
      {rows.map((row) =>
        "folded" in row ? (
          <button
            type="button"
            class="diff-fold"
            key={`fold-${row.at}`}
            onClick={() => {
              opened.value = new Set([...opened.value, row.at])
            }}
          >
            {row.folded.length} unchanged lines
          </button>
        ) : (
          <div class="diff-row" key={`${row.left?.number}-${row.right?.number}`}>
            <Cell isSame={row.isSame} line={row.left} side="left" />
            <Cell isSame={row.isSame} line={row.right} side="right" />
          </div>
        )
      )}
    </div>
  )
}
