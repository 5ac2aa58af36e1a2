#!/bin/sh
# Sends shows to the archive: one JSON object a line, from a file or from stdin.
#
#   INGEST_CRAWLER=my-crawler INGEST_SECRET=whsec_... sh send.sh shows.jsonl
#
# A line is the `data` of a message, or a whole message with `type`, `timestamp` and `data`. What the archive has already is not
# sent. Exits with 0 when every line was accepted or known, with 1 when not, with 2 when it was called wrongly. Needs curl,
# openssl and awk. Yours to copy and change; for more than some hundred shows a day take a language that has JSON.
#
# The secret is on no command line, where everybody on the machine could read it: printf must be the shell's own, as it is in
# dash, bash, ksh and busybox.

set -u
export LC_ALL=C # bytes are bytes, and a number has a point

url=${INGEST_URL:-http://127.0.0.1:8092/ingest}
url=${url%/}
crawler=${INGEST_CRAWLER:-}
secret=${INGEST_SECRET:-}
type=${INGEST_TYPE:-runway.show}     # of lines that are data alone
max_tries=${INGEST_TRIES:-6}
backoff=${INGEST_BACKOFF:-1}         # seconds before the second try; doubles from there
offset=${INGEST_CLOCK_OFFSET:-0}     # whole seconds that this machine's clock is known to be behind
unset INGEST_SECRET                  # no program that is started from here has to have it

longest_backoff=60
longest_wait=300 # a door that asks for more is left alone until the next run
timeout=30
asked='brand brand_id brand_hashid season title year term category market source'

shows=0 accepted=0 known=0 refused=0

remark() { printf '%s\n' "$*" >&2; }
tell() { printf '%s\n' "$*"; }

# ---- JSON, as much of it as is needed here

# Reads an object and prints the members that are wanted, each as its value in a line or as `,"name":value`; reads an array and
# prints its elements, one a line. Quotes are what records end at, so that each second record is text.
json_program='
  BEGIN { RS = "\"" }
  function finish() {
    if (taking && value != "") { if (pairs) printf ",\"%s\":%s", key, value; else print value }
    value = ""
  }
  in_text {
    text = text $0
    if (match($0, /\\+$/) && RLENGTH % 2 == 1) { text = text "\""; next } # that quote was escaped
    in_text = 0
    if (taking) value = value "\"" text "\""
    else if (depth == 1) key = text
    next
  }
  {
    for (i = 1; i <= length($0); i++) {
      c = substr($0, i, 1)
      if (c ~ /[ \t\r\n]/) continue
      if (c == "}" || c == "]") { depth--; if (depth == 0) { finish(); exit } }
      if (c == "{" || c == "[") { depth++; if (depth == 1) { taking = (c == "["); continue } }
      if (depth == 1 && c == ":") { taking = index(" " wanted " ", " " key " ") > 0; value = ""; continue }
      if (depth == 1 && c == ",") { finish(); if (wanted != "") taking = 0; continue }
      if (taking) value = value c
    }
    in_text = 1; text = ""
  }'
member() { awk -v wanted="$1" "$json_program"; }
members() { awk -v wanted="$1" -v pairs=1 "$json_program"; }
elements() { awk -v wanted= "$json_program"; }
# The text of a JSON string, for a person.
plain() { sed -e 's/^"//' -e 's/"$//' -e 's/\\"/"/g' -e 's/\\\\/\\/g'; }

# ---- Signing

key_bytes() { od -An -v -tu1 | tr '\n' ' '; }

# The key of HMAC, padded to a block and mixed with a byte, as printf %b wants it.
pad() {
  mask=$1 count=0
  shift
  for byte in "$@"; do
    printf '\\0%03o' $((byte ^ mask))
    count=$((count + 1))
  done
  while [ $count -lt 64 ]; do
    printf '\\0%03o' "$mask"
    count=$((count + 1))
  done
}

# The secret is whsec_ and base64; a key longer than a block is hashed first.
read_secret() {
  encoded=${secret#whsec_}
  case $secret in whsec_*) ;; *) return 1 ;; esac
  case $encoded in '' | *[!A-Za-z0-9+/=]*) return 1 ;; esac
  key=$(printf '%s' "$encoded" | openssl base64 -d -A | key_bytes)
  set -- $key
  if [ $# -gt 64 ]; then
    key=$(printf '%s' "$encoded" | openssl base64 -d -A | openssl dgst -sha256 -binary | key_bytes)
    set -- $key
  fi
  [ $# -gt 0 ] || return 1
  inner=$(pad 54 "$@")
  outer=$(pad 92 "$@")
}

# HMAC-SHA256 of stdin in base64, made of two plain SHA-256 (RFC 2104): openssl takes a key on its command line only.
hmac() {
  { printf '%b' "$inner"; cat; } | openssl dgst -sha256 -binary >"$work/inner"
  { printf '%b' "$outer"; cat "$work/inner"; } | openssl dgst -sha256 -binary | openssl base64 -A
}

# ---- Posting

# The value of a header of the last answer.
header() {
  awk -v name="$1:" '
    { sub(/\r$/, "") }
    tolower($1) == name { sub(/^[^:]*:[ \t]*/, ""); value = $0 }
    END { print value }' "$work/head"
}

# Unix seconds of an HTTP date: Sun, 06 Nov 1994 08:49:37 GMT. Nothing when it is none.
unix_time() {
  printf '%s\n' "$1" | awk '
    /^[A-Z][a-z][a-z], [0-9][0-9] [A-Z][a-z][a-z] [0-9][0-9][0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] GMT$/ {
      split($0, part, /[ ,:]+/)
      year = part[4]
      month = (index("JanFebMarAprMayJunJulAugSepOctNovDec", part[3]) + 2) / 3
      if (month < 3) { year--; month += 12 } # a year that begins in March has its odd day at its end
      days = year * 365 + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * month - 457) / 5) + part[2] - 719469
      printf "%.0f", days * 86400 + part[5] * 3600 + part[6] * 60 + part[7]
    }'
}

now() { echo $(($(date +%s) + offset)); }

time_text() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# Posts $work/body once. Sets status, which is 000 when there was no answer, and code.
try_once() {
  timestamp=$(now) # signed anew for every try: one older than five minutes is refused
  mac=$({ printf '%s.%s.' "$2" "$timestamp"; cat "$work/body"; } | hmac)
  : >"$work/answer"
  : >"$work/head"
  status=$(curl -q -sS --max-time $timeout -o "$work/answer" -D "$work/head" -w '%{http_code}' --data-binary "@$work/body" \
    -H 'content-type: application/json' -H 'expect:' -H "webhook-id: $2" -H "webhook-timestamp: $timestamp" \
    -H "webhook-signature: v1,$mac" -H "x-ingest-crawler: $crawler" "$url$1" 2>"$work/trouble" </dev/null) || status=000
  code=$(member type <"$work/answer" | plain)
  code=${code##*:}
}

# What the last answer was, in a line.
answer() {
  if [ "$status" = 000 ]; then
    printf 'no answer: %s' "$(cat "$work/trouble")"
  else
    detail=$(member detail <"$work/answer" | plain)
    printf '%s%s: %s' "$status" "${code:+ $code}" "${detail:-no detail}"
  fi
}

# Posts $work/body to a path until there is an answer that counts.
post() {
  # One id for all tries of a message, so that it becomes one job whatever gets lost on the way. It is made of nothing but
  # chance: an id made of the content would, after an editor has rejected a show, name the old message for ever, and a new
  # crawl of the show would be answered with the old job.
  id=msg_$(openssl rand -hex 16)
  clock_was_set=no tries=0
  while :; do
    try_once "$1" "$id"
    if [ "$code" = timestamp-out-of-window ] && [ $clock_was_set = no ]; then
      clock_was_set=yes
      theirs=$(unix_time "$(header date)")
      if [ -n "$theirs" ]; then
        offset=$((theirs - $(date +%s)))
        remark "this clock is $((-offset)) s off; going by the door's from here on"
        continue
      fi
    fi
    case $status in 000 | 408 | 425 | 429 | 5??) ;; *) return ;; esac
    tries=$((tries + 1))
    [ "$tries" -lt "$max_tries" ] || stop "gave up after $tries tries: $(answer)"
    wait_for_door
  done
}

# As long as the door asks, and else twice as long each time. With some chance in it, so that many don't come back at once.
wait_for_door() {
  wanted=$(header retry-after)
  case $wanted in
    '') ;;
    *[!0-9]*)
      then=$(unix_time "$wanted")
      wanted=$((${then:-0} - $(now)))
      ;;
  esac
  [ "${wanted:-0}" -le $longest_wait ] || stop "the door asks to wait for $wanted s: $(answer)"
  chance=$(od -An -N2 -tu2 /dev/urandom)
  seconds=$(awk -v asked="${wanted:-0}" -v backoff="$backoff" -v tries="$tries" -v most=$longest_backoff -v chance="$chance" '
    BEGIN {
      chance /= 65536
      grown = backoff
      for (i = 1; i < tries && grown < most; i++) grown *= 2 # not every awk has powers
      if (grown > most) grown = most
      if (backoff > 1) backoff = 1
      printf "%.2f", (asked > 0) ? asked + chance * backoff : grown * (0.5 + chance / 2)
    }')
  remark "$(answer); again in $seconds s"
  sleep "$seconds" || sleep $((${seconds%.*} + 1)) # some take whole seconds only
}

# ---- Shows

# Goes on only while that may help.
stop() {
  remark "Stopped: $*"
  # Only what was not read yet is left to count.
  while IFS= read -r line <&3 || [ -n "$line" ]; do
    [ -z "$line" ] || shows=$((shows + 1))
  done
  finish
}

finish() {
  rest=$((shows - accepted - known - refused))
  remark "$shows shows: $accepted accepted, $known known, $refused refused, $rest not sent"
  [ $((refused + rest)) -eq 0 ]
  exit
}

# What the archive knows of the show whose data is $1. Sets state and subject. One question a show: with JSON at hand, ask for
# up to 200 at once. A question that is refused is no reason not to send.
ask_known() {
  state=none
  question=$(printf '%s' "$1" | members "$asked")
  # Without a brand or a page it has no name to ask by.
  case $question in *'"brand'* | *'"source"'*) ;; *) return ;; esac
  printf '{"type":"show.known","timestamp":"%s","data":{"shows":[{%s}]}}' "$(time_text)" "${question#,}" >"$work/body"
  post /known
  case $status in
    2??)
      member shows <"$work/answer" | elements >"$work/show"
      state=$(member state <"$work/show" | plain)
      subject=$(member subject <"$work/show" | plain)
      ;;
    413 | 422) remark "could not ask what is known ($(answer)); sending" ;;
    *) stop "$(answer)" ;;
  esac
}

# Sends the message in $work/body, of line $1, and says what became of it.
send() {
  post ''
  case $status in
    2??)
      job=$(member job_id <"$work/answer" | plain)
      again=$(member duplicate <"$work/answer")
      [ "$again" = true ] && again=' (an earlier try had arrived)' || again=
      tell "$1: accepted as job $job$again: $(member subject <"$work/answer" | plain)"
      member warnings <"$work/answer" | elements | plain | sed 's/^/   warning: /'
      accepted=$((accepted + 1))
      ;;
    413 | 422) # about this message; all others are about us, and the next message would be answered alike
      tell "$1: refused, $(answer)"
      member errors <"$work/answer" | elements | while IFS= read -r problem; do
        pointer=$(printf '%s' "$problem" | member pointer | plain)
        tell "   $pointer: $(printf '%s' "$problem" | member detail | plain)"
      done
      for name in limit_bytes near brands; do
        member $name <"$work/answer" | sed "s/^/   $name: /"
      done
      refused=$((refused + 1))
      ;;
    *) stop "$(answer)" ;;
  esac
}

if [ $# -gt 1 ] || [ -z "$crawler" ] || ! read_secret; then
  remark 'Usage: INGEST_CRAWLER=name INGEST_SECRET=whsec_... sh send.sh [shows.jsonl]'
  exit 2
fi
umask 077
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
exec 3<&0
[ "${1:--}" = - ] || exec 3<"$1"

number=0
while read -r line <&3 || [ -n "$line" ]; do
  number=$((number + 1))
  # A mark that some editors begin a file with, and what others end a line with.
  [ $number -gt 1 ] || line=${line#"$(printf '\357\273\277')"}
  line=${line%"$(printf '\r')"}
  case $line in
    '') continue ;;
    '{'*) ;;
    *)
      shows=$((shows + 1)) refused=$((refused + 1))
      tell "$number: refused, it is no JSON object"
      continue
      ;;
  esac
  shows=$((shows + 1))
  message=
  data=$(printf '%s' "$line" | member data)
  case $data in
    '{'*) message=$line ;; # the line goes out as it came in
    *) data=$line ;;
  esac
  ask_known "$data"
  case $state in
    none | rejected | '') ;;
    *)
      tell "$number: known, $state: $subject"
      known=$((known + 1))
      continue
      ;;
  esac
  if [ -n "$message" ]; then
    printf '%s' "$message" >"$work/body"
  else
    printf '{"type":"%s","timestamp":"%s","data":%s}' "$type" "$(time_text)" "$line" >"$work/body"
  fi
  send "$number"
done
finish
