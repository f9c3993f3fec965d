/**
 * Strings that callers can send, but that stores treat differently. Strings that some store cannot
 * keep, because they contain NUL or half a surrogate pair, are refused earlier.
 */

/** Short distinct strings; some of them look alike. */
export const awkwardTexts: ReadonlyArray<string> = [
  "",
  " ",
  "  spaces at both ends  ",
  "line\nbreak\r\nand\ttab",
  "\"double\" 'single' `back`",
  "back\\slash \\n \\u0041 \\0",
  "'; DROP TABLE jobs; --",
  "100%_of*what?[x]",
  "$1 ?1 :name @name {{name}}",
  "null",
  "0",
  "1e3",
  "true",
  "{}",
  "straße",
  "STRASSE",
  "\u00e9",
  "e\u0301",
  "İstanbul ıI",
  "🎙️ 👩‍👩‍👧‍👦 🇩🇪",
  "𝒳𐍈",
  "日本語 ไทย",
  "مرحبا بالعالم",
  "\ufeffbyte order mark",
  "zero\u200bwidth",
  "\u2028\u2029\u0085",
  "\u0001\u001f\u007f",
  "\ufffd\uffff"
]

/**
 * Returns a string of about the given number of UTF-8 bytes, in which a cut at almost any byte
 * splits a character.
 */
export const longText = (byteLength: number): string => {
  const piece = "a🎙é日"
  return piece.repeat(Math.ceil(byteLength / new TextEncoder().encode(piece).byteLength))
}
