/** Input for engines that never read it. */
export const recognition = {
  audio: { path: "/nowhere", sampleCount: 1 },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true
}
