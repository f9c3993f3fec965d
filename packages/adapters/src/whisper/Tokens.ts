/** Converts a model's tokens to the files that sherpa-onnx reads. Pure. */

/** Returns the vocabulary for splitting hot words into a model's tokens. */
export const toVocabulary = (tokens: string): string =>
  tokens
    .split("\n")
    .flatMap((line) => {
      const token = line.slice(0, line.lastIndexOf(" "))
      return token === "" ? [] : [`${token}\t-1.0\n`]
    })
    .join("")

/** The part of a `tokenizer.json` that is used here. The file's checksum was verified. */
interface Tokenizer {
  readonly model: { readonly vocab: Readonly<Record<string, number>> }
  readonly added_tokens: ReadonlyArray<{ readonly id: number; readonly content: string }>
}

/** Returns a token's bytes: a token such as `<0xE2>` is one byte of a character. */
const bytesOf = (token: string): Buffer => {
  const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? []
  return byte === undefined
    ? Buffer.from(token.replaceAll("\u2581", " "))
    : Buffer.from(byte, "hex")
}

/**
 * The placeholder for a number without a token. Without it, sherpa-onnx would silently drop the
 * number.
 */
export const missingToken = "<missing token>"

/** Number of tokens in the list. No known model has more tokens. */
const tokenCount = 65_536

/**
 * Converts a `tokenizer.json` to lines; each contains a token in base64 and the token's number.
 * Throws if the file is not a tokenizer.
 */
export const toTokens = (tokenizer: string): string => {
  const { added_tokens, model }: Tokenizer = JSON.parse(tokenizer)
  const numbered = [
    ...Object.entries(model.vocab),
    ...added_tokens.map(({ content, id }) => [content, id] as const)
  ]
  const tokens = new Array<string>(tokenCount).fill(missingToken)
  for (const [token, id] of numbered) {
    if (!(id in tokens)) throw new Error(`a token has the number ${id}`)
    tokens[id] = token
  }
  return tokens.map((token, id) => `${bytesOf(token).toString("base64")} ${id}\n`).join("")
}
