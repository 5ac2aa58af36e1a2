#!/usr/bin/env python3
"""Sends shows to the archive: one JSON object a line, from a file or from stdin.

    INGEST_CRAWLER=my-crawler INGEST_SECRET=whsec_... python3 send.py shows.jsonl

A line is the `data` of a message, or a whole message with `type`, `timestamp` and `data`. What the archive has already is not
sent. Exits with 0 when every line was accepted or known, with 1 when not, with 2 when it was called wrongly. Python 3.8 or
later, and nothing else. Yours to copy and change.
"""

import base64
import binascii
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import random
import sys
import time
import urllib.request
import uuid

URL = os.environ.get("INGEST_URL", "http://127.0.0.1:8092/ingest").rstrip("/")
CRAWLER = os.environ.get("INGEST_CRAWLER", "")
SECRET = os.environ.get("INGEST_SECRET", "")
TYPE = os.environ.get("INGEST_TYPE", "runway.show")  # of lines that are data alone
TRIES = int(os.environ.get("INGEST_TRIES", "6"))
BACKOFF = float(os.environ.get("INGEST_BACKOFF", "1"))  # seconds before the second try; doubles from there
CLOCK_OFFSET = float(os.environ.get("INGEST_CLOCK_OFFSET", "0"))  # seconds that this machine's clock is known to be behind

LONGEST_BACKOFF = 60
LONGEST_WAIT = 300  # a door that asks for more is left alone until the next run
TIMEOUT = 30
SHOWS_A_QUESTION = 100

# Worth a crawl: what the archive has not, and what an editor turned down.
WANTED = ("none", "rejected")
BRAND = ("brand", "brand_id", "brand_hashid")
ASKED = BRAND + ("season", "title", "year", "term", "category", "market", "source")


class Stop(Exception):
    """Going on is no use: the door is closed, or it is us that it does not let in."""


class EveryAnswer(urllib.request.HTTPErrorProcessor):
    """Neither raises on 4xx and 5xx nor follows a redirect, which would make a GET of our POST."""

    def http_response(self, request, response):
        return response

    https_response = http_response


class Answer:
    """What the door said; status 0 when it said nothing."""

    def __init__(self, status, headers, text, trouble=""):
        self.status, self.headers, self.trouble = status, headers, trouble
        try:
            document = json.loads(text)
        except ValueError:  # a proxy's page, say
            document = None
        self.document = document if isinstance(document, dict) else {}

    @property
    def code(self):
        return str(self.document.get("type", "")).rsplit(":", 1)[-1]

    @property
    def is_good(self):
        return 200 <= self.status < 300

    @property
    def is_worth_a_retry(self):
        return self.status in (0, 408, 425, 429) or self.status >= 500

    def __str__(self):
        if self.status == 0:
            return "no answer: " + self.trouble
        return " ".join(filter(None, (str(self.status), self.code))) + ": " + str(self.document.get("detail", "no detail"))


class Door:
    def __init__(self, url, crawler, key, clock_offset):
        self.url, self.crawler, self.key = url, crawler, key
        self.clock_offset = clock_offset
        self.opener = urllib.request.build_opener(EveryAnswer)

    def now(self):
        return time.time() + self.clock_offset

    def post(self, path, body):
        """Posts until there is an answer that counts. Raises Stop when there is none."""
        # One id for all tries of a message, so that it becomes one job whatever gets lost on the way. It is made of
        # nothing but chance: an id made of the content would, after an editor has rejected a show, name the old message for
        # ever, and a new crawl of the show would be answered with the old job.
        message_id = "msg_" + uuid.uuid4().hex
        clock_was_set = False
        tries = 0
        while True:
            answer = self.try_once(path, message_id, body)
            if answer.code == "timestamp-out-of-window" and not clock_was_set:
                clock_was_set = True
                theirs = unix_time(answer.headers.get("Date"))
                if theirs is not None:
                    self.clock_offset = theirs - time.time()
                    remark("this clock is %+.0f s off; going by the door's from here on" % -self.clock_offset)
                    continue
            if not answer.is_worth_a_retry:
                return answer
            tries += 1
            if tries >= TRIES:
                raise Stop("gave up after %d tries: %s" % (tries, answer))
            self.wait(answer, tries)

    def try_once(self, path, message_id, body):
        # Signed anew for every try: a timestamp older than five minutes is refused.
        timestamp = str(int(self.now()))
        signed = ("%s.%s." % (message_id, timestamp)).encode() + body
        mac = base64.b64encode(hmac.new(self.key, signed, hashlib.sha256).digest()).decode()
        headers = {
            "Content-Type": "application/json",
            "Webhook-Id": message_id,
            "Webhook-Timestamp": timestamp,
            "Webhook-Signature": "v1," + mac,
            "X-Ingest-Crawler": self.crawler,
        }
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method="POST")
        try:
            with self.opener.open(request, timeout=TIMEOUT) as response:
                return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, {}, b"", str(error) or type(error).__name__)

    def wait(self, answer, tries):
        """As long as the door asks, and else twice as long each time. With some chance in it, so that many don't come back at once."""
        asked = retry_after(answer.headers.get("Retry-After"), self.now())
        if asked > LONGEST_WAIT:
            raise Stop("the door asks to wait for %d s: %s" % (asked, answer))
        grown = min(BACKOFF * 2 ** (tries - 1), LONGEST_BACKOFF)
        seconds = asked + random.uniform(0, min(BACKOFF, 1)) if asked > 0 else grown * random.uniform(0.5, 1)
        remark("%s; again in %.1f s" % (answer, seconds))
        time.sleep(seconds)


def key_of(secret):
    """The bytes to sign with; None when the secret is none."""
    try:
        return base64.b64decode(secret[len("whsec_"):], validate=True) if secret.startswith("whsec_") else None
    except binascii.Error:
        return None


def unix_time(http_date):
    try:
        return email.utils.parsedate_to_datetime(http_date).timestamp()
    except (TypeError, ValueError):
        return None


def retry_after(value, now):
    """Seconds, from seconds or from a date; 0 when it is neither."""
    if value is not None and value.strip().isdigit():
        return int(value)
    then = unix_time(value)
    return 0 if then is None else max(0, then - now)


def remark(words):
    print(words, file=sys.stderr, flush=True)


class Show:
    """A line of the input."""

    def __init__(self, number, line):
        self.number, self.line = number, line
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        self.is_object = isinstance(value, dict)
        value = value if self.is_object else {}
        self.is_message = isinstance(value.get("type"), str) and isinstance(value.get("data"), dict)
        self.data = value["data"] if self.is_message else value

    def body(self, now):
        """The line goes out as it came in: what is signed is bytes, and no number in it is read and written anew."""
        if self.is_message:
            return self.line
        time_text = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
        return ('{"type":%s,"timestamp":"%s","data":' % (json.dumps(TYPE), time_text)).encode() + self.line + b"}"

    def question(self):
        """The show without its pictures; None when it has no name to ask by."""
        asked = {name: self.data[name] for name in ASKED if self.data.get(name)}
        source = asked.get("source") if isinstance(asked.get("source"), dict) else {}
        has_brand = any(name in asked for name in BRAND)
        has_season = "season" in asked or "title" in asked or ("year" in asked and "term" in asked)
        return asked if (has_brand and has_season) or source.get("url") or source.get("external_id") else None

    def say(self, words, *more):
        print("%d: %s" % (self.number, words), flush=True)
        for line in more:
            print("   " + line, flush=True)


def ask_known(door, shows):
    """What the archive knows of the shows, by their numbers. A question that is refused is no reason not to send."""
    questions = [(show.number, show.question()) for show in shows]
    questions = [(number, question) for number, question in questions if question is not None]
    if not questions:
        return {}
    time_text = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(door.now()))
    data = {"shows": [question for _, question in questions]}
    answer = door.post("/known", json.dumps({"type": "show.known", "timestamp": time_text, "data": data}).encode())
    if answer.is_good:
        return {number: known for (number, _), known in zip(questions, answer.document.get("shows", []))}
    if answer.status in (413, 422):
        remark("could not ask what is known (%s); sending" % answer)
        return {}
    raise Stop(str(answer))


def send(door, show):
    """Sends one show and says what became of it. Returns whether it was accepted."""
    answer = door.post("", show.body(door.now()))
    document = answer.document
    if answer.is_good:
        again = " (an earlier try had arrived)" if document.get("duplicate") else ""
        words = "accepted as job %s%s: %s" % (document.get("job_id"), again, document.get("subject"))
        show.say(words, *("warning: " + warning for warning in document.get("warnings", [])))
        return True
    # These two are about one message. All others are about us, and the next message would be answered alike.
    if answer.status not in (413, 422):
        raise Stop(str(answer))
    problems = ["%s: %s" % (problem.get("pointer"), problem.get("detail")) for problem in document.get("errors", [])]
    hints = [name for name in ("limit_bytes", "near", "brands") if name in document]
    members = ["%s: %s" % (name, json.dumps(document[name], ensure_ascii=False)) for name in hints]
    show.say("refused, %s" % answer, *problems, *members)
    return False


def run(door, text):
    lines = (text[3:] if text.startswith(b"\xef\xbb\xbf") else text).split(b"\n")
    shows = [Show(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    counts = {"accepted": 0, "known": 0, "refused": 0}
    try:
        for start in range(0, len(shows), SHOWS_A_QUESTION):
            some = shows[start : start + SHOWS_A_QUESTION]
            known = ask_known(door, some)
            for show in some:
                state = known.get(show.number, {}).get("state", "none")
                if not show.is_object:
                    show.say("refused, it is no JSON object")
                    counts["refused"] += 1
                elif state not in WANTED:
                    show.say("known, %s: %s" % (state, known[show.number].get("subject")))
                    counts["known"] += 1
                else:
                    counts["accepted" if send(door, show) else "refused"] += 1
    except Stop as reason:
        remark("Stopped: %s" % reason)
    rest = len(shows) - sum(counts.values())
    remark("%d shows: %d accepted, %d known, %d refused, %d not sent" % (len(shows), *counts.values(), rest))
    return 0 if counts["refused"] == rest == 0 else 1


def main(arguments):
    key = key_of(SECRET)
    if len(arguments) > 1 or not CRAWLER or not key:
        remark("Usage: INGEST_CRAWLER=name INGEST_SECRET=whsec_... python3 send.py [shows.jsonl]")
        return 2
    door = Door(URL, CRAWLER, key, CLOCK_OFFSET)
    if arguments in ([], ["-"]):
        return run(door, sys.stdin.buffer.read())
    with open(arguments[0], "rb") as file:
        return run(door, file.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
