#!/usr/bin/env bash
# Speaks harbour-meeting.txt, one turn per line and two voices in turn, into harbour-meeting.flac (16 kHz, mono),
# and its first three turns into harbour-opening.mp3.
# Needs flite and ffmpeg; the same versions of both give the same bytes on every run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

voices=(rms slt)
gains=(0dB -5dB) # slt is the louder voice
pauses=(0.5 0.7 0.6 0.8 0.7) # seconds added after a turn; flite itself leaves about 0.2 s at both ends

turn=0
while IFS= read -r line; do
  flite --setf duration_stretch=1.07 -voice "${voices[turn % 2]}" -t "$line" -o "$work/turn.wav"
  ffmpeg -nostdin -v error -i "$work/turn.wav" \
    -af "volume=${gains[turn % 2]},apad=pad_dur=${pauses[turn % 5]}" \
    -ac 1 -ar 16000 -f s16le pipe:1 >>"$work/meeting.pcm"
  turn=$((turn + 1))
done <harbour-meeting.txt

ffmpeg -nostdin -v error -y -f s16le -ac 1 -ar 16000 -i "$work/meeting.pcm" \
  -fflags +bitexact -flags:a +bitexact -map_metadata -1 -c:a flac -compression_level 12 harbour-meeting.flac

ffmpeg -nostdin -v error -y -i harbour-meeting.flac -t 16.9 \
  -fflags +bitexact -flags:a +bitexact -map_metadata -1 -c:a libmp3lame -b:a 40k harbour-opening.mp3
