/** A webhook receiver for text bodies, such as those of the modifier `srt`. */
import { Webhook } from "standardwebhooks"

/**
 * Returns the transcript of a request that was signed with the secret; throws for any other
 * request.
 */
export const readTranscript = (
  secret: string,
  { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
): string => {
  // By default, the package parses the body as JSON after verifying the signature, and throws for
  // plain text.
  new Webhook(secret).verify(body, { ...headers }, { jsonParse: false })
  return body
}
