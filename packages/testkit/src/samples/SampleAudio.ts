/** Generates recordings as uncompressed WAV files. */

/** The format and length of a recording. */
export interface Recording {
  readonly sampleRate: number
  readonly channels: number
  readonly sampleCount: number
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

const join = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const number = (value: number, byteLength: 2 | 4): Uint8Array => {
  const view = new DataView(new ArrayBuffer(byteLength))
  if (byteLength === 2) view.setUint16(0, value, true)
  else view.setUint32(0, value, true)
  return new Uint8Array(view.buffer)
}

/** Creates a 440 Hz tone as signed 16-bit little-endian samples with interleaved channels. */
export const tone = ({ channels, sampleCount, sampleRate }: Recording): Uint8Array => {
  const view = new DataView(new ArrayBuffer(sampleCount * channels * 2))
  for (let index = 0; index < sampleCount * channels; index++) {
    const seconds = Math.floor(index / channels) / sampleRate
    view.setInt16(index * 2, Math.round(8_000 * Math.sin(2 * Math.PI * 440 * seconds)), true)
  }
  return new Uint8Array(view.buffer)
}

/** Creates a WAV file from the given samples. */
export const wav = ({ channels, sampleRate }: Recording, samples: Uint8Array): Uint8Array =>
  join(
    ascii("RIFF"),
    number(36 + samples.byteLength, 4),
    ascii("WAVEfmt "),
    number(16, 4),
    // The WAV format code for uncompressed samples.
    number(1, 2),
    number(channels, 2),
    number(sampleRate, 4),
    number(sampleRate * channels * 2, 4),
    number(channels * 2, 2),
    number(16, 2),
    ascii("data"),
    number(samples.byteLength, 4),
    samples
  )
