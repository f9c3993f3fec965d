/** What engines are asked for that never look at it. */
export const recognition = {
  audio: { path: "/nowhere", sampleCount: 1 },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true
}
