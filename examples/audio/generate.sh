#!/usr/bin/env bash
# Records harbour-meeting.txt with two alternating synthetic voices, one turn per line, as harbour-meeting.flac
# (16 kHz, mono). Cuts the first turn into harbour-opening.mp3, and the first three turns, with long pauses, into
# harbour-minute.mp3. Needs flite and ffmpeg; the same versions of both produce the same bytes on every run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

voices=(rms slt)
gains=(0dB -5dB) # slt is louder than rms
pauses=(0.5 0.7 0.6 0.8 0.7) # seconds added after each turn; flite itself leaves about 0.2 s at both ends

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

mp3=(-fflags +bitexact -flags:a +bitexact -map_metadata -1 -c:a libmp3lame)

ffmpeg -nostdin -v error -y -i harbour-meeting.flac -t 6.6 "${mp3[@]}" -b:a 40k harbour-opening.mp3

# A summary needs at least 60 seconds of audio, including silence.
ffmpeg -nostdin -v error -y -i harbour-meeting.flac -filter_complex "[0]asplit=3[a][b][c];
  [a]atrim=0:6.6,apad=pad_dur=22[first];
  [b]atrim=6.6:11.3,asetpts=PTS-STARTPTS,apad=pad_dur=22[second];
  [c]atrim=11.3:16.9,asetpts=PTS-STARTPTS[third];
  [first][second][third]concat=n=3:v=0:a=1" "${mp3[@]}" -q:a 5 harbour-minute.mp3
