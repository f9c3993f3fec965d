#!/usr/bin/env bash
# Cuts one sentence out of the example recording, encodes it once for each accepted extension, and writes the broken
# and hostile files. Needs ffmpeg with its usual encoders; the same version gives the same bytes on every run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
recording=../../../../examples/audio/harbour-meeting.flac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exact=(-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -threads 1)

# "I will write the letter tomorrow and send it to you on Friday.", with the silence around it: 64000 samples.
ffmpeg -nostdin -v error -i "$recording" -af atrim=start_sample=842560:end_sample=906560,asetpts=PTS-STARTPTS \
  -c:a pcm_s16le "$work/sentence.wav"

sound() { # sound FILE OPTIONS...
  ffmpeg -nostdin -v error -y -i "$work/sentence.wav" "${@:2}" "${exact[@]}" "$1"
}

film() { # film FILE OPTIONS...: the sentence under four seconds of black
  ffmpeg -nostdin -v error -y -f lavfi -i color=c=black:s=64x48:r=5:d=4 -i "$work/sentence.wav" \
    -map 0:v -map 1:a -pix_fmt yuv420p "${@:2}" "${exact[@]}" "$1"
}

sound clip.mp3 -c:a libmp3lame -b:a 64k
sound clip.wav -c:a pcm_s16le
sound clip.flac -c:a flac
sound letter.wav -t 2 -c:a pcm_s16le
sound clip.ogg -c:a libvorbis -b:a 48k
sound clip.oga -c:a libopus -b:a 48k
sound clip.aac -c:a aac -b:a 64k -f adts
sound clip.m4a -c:a aac -b:a 64k
sound clip.wma -c:a wmav2 -b:a 64k

# AC-3 has no 16 kHz, and MP3 inside FLV allows 22.05 kHz but not 16.
film clip.mp4 -c:v libx264 -c:a aac -b:a 64k
film clip.mov -c:v mpeg4 -c:a pcm_s16le
film clip.avi -c:v mpeg4 -c:a libmp3lame -b:a 64k
film clip.mkv -c:v libx264 -c:a ac3 -ar 32000 -b:a 64k
film clip.webm -c:v libvpx -c:a libopus -b:a 48k
film clip.wmv -c:v wmv2 -c:a wmav2 -b:a 64k
film clip.m4v -c:v libx264 -c:a aac -b:a 64k
film clip.flv -c:v flv1 -c:a libmp3lame -ar 22050 -b:a 64k

ffmpeg -nostdin -v error -y -f lavfi -i anullsrc=r=16000:cl=mono -t 2 -c:a pcm_s16le "${exact[@]}" silence.wav
ffmpeg -nostdin -v error -y -f lavfi -i color=c=black:s=64x48:r=5:d=4 -pix_fmt yuv420p -c:v libx264 \
  "${exact[@]}" video-without-audio.mp4
head -c 2048 clip.mp4 >truncated.mp4
: >empty.wav
printf 'This file is plain text. Only its name says that it is sound.\n' >junk.mp3

# A subtitle that requests a file, and attachments whose names point outside their folder.
printf '%s\n' '1' '00:00:00,000 --> 00:00:03,000' '<img src="file:///etc/passwd">' >"$work/subtitle.srt"
printf 'An attachment.\n' >"$work/note.txt"
ffmpeg -nostdin -v error -y -i "$work/sentence.wav" -i "$work/subtitle.srt" -map 0:a -map 1:s \
  -c:a libvorbis -b:a 48k -c:s srt "${exact[@]}" \
  -attach "$work/note.txt" -metadata:s:t:0 mimetype=text/plain -metadata:s:t:0 filename=../../escaped.txt \
  -attach "$work/note.txt" -metadata:s:t:1 mimetype=font/ttf -metadata:s:t:1 filename=/tmp/escaped.ttf attachment.mkv
