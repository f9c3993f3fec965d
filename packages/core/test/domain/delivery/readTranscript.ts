/** A receiver of webhooks with a text as their body, for example with the modifier `srt`. */
import { Webhook } from "standardwebhooks"

/** The transcript in a request that was signed with the secret; throws at any other request. */
export const readTranscript = (
  secret: string,
  { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
): string => {
  // Otherwise it reads the body as JSON once the signature is right, and throws at a text.
  new Webhook(secret).verify(body, { ...headers }, { jsonParse: false })
  return body
}
