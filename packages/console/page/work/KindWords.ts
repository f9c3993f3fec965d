/** What workers do, in the words of the page. */
const words: Readonly<Record<string, string>> = {
  Fetch: "Fetch a recording",
  Transcribe: "Transcribe",
  Summarize: "Summarize",
  Deliver: "Deliver a webhook",
  Notify: "Tell the host of an end",
  Isolate: "Alone, after a process died with it"
}

/** A kind of work, or a task; one of a later version has its own name. */
export const kindWords = (kind: string): string => words[kind] ?? kind
