/** Tracks the heights of a list's rows, most of which are not rendered. */

export const makeHeights = (guesses: ReadonlyArray<number>) => {
  const heights = [...guesses]
  const tops = [0]
  const sum = (): void => {
    for (const [index, height] of heights.entries()) tops[index + 1] = (tops[index] ?? 0) + height
  }
  sum()
  return {
    topOf: (index: number): number => tops[Math.min(index, heights.length)] ?? 0,
    indexAt: (top: number): number => {
      const index = tops.findLastIndex((each) => each <= top)
      return Math.max(0, Math.min(index, heights.length - 1))
    },
    note: (measured: ReadonlyArray<{ readonly index: number; readonly height: number }>) => {
      const news = measured.filter(
        ({ height, index }) => Math.abs((heights[index] ?? height) - height) >= 1
      )
      for (const { height, index } of news) heights[index] = height
      if (news.length > 0) sum()
      return news.length > 0
    }
  }
}

export type Heights = ReturnType<typeof makeHeights>
