/** Input for tests whose engines never read their input. */
export const recognition = {
  audio: { path: "/nowhere", sampleCount: 1 },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true
}
