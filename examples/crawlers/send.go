// Sends shows to the archive: one JSON object a line, from a file or from stdin.
//
//	INGEST_CRAWLER=my-crawler INGEST_SECRET=whsec_... go run send.go shows.jsonl
//
// A line is the `data` of a message, or a whole message with `type`, `timestamp` and `data`. What the archive has already is not
// sent. Exits with 0 when every line was accepted or known, with 1 when not, with 2 when it was called wrongly. Go 1.19 or
// later, and nothing but its standard library. Yours to copy and change.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	longestBackoff = 60 * time.Second
	longestWait    = 300 * time.Second // a door that asks for more is left alone until the next run
	timeout        = 30 * time.Second
	showsAQuestion = 100
)

var (
	messageType = setting("INGEST_TYPE", "runway.show") // of lines that are data alone
	maxTries    = int(number("INGEST_TRIES", "6"))
	backoff     = seconds(number("INGEST_BACKOFF", "1")) // before the second try; doubles from there

	brandNames = []string{"brand", "brand_id", "brand_hashid"}
	askedNames = append(brandNames, "season", "title", "year", "term", "category", "market", "source")
)

// stop says why going on is no use: the door is closed, or it is us that it does not let in.
func stop(format string, values ...any) error { return fmt.Errorf(format, values...) }

// answer is what the door said; status 0 when it said nothing.
type answer struct {
	status  int
	header  http.Header
	trouble string

	Type      string
	Detail    string
	JobID     string `json:"job_id"`
	Duplicate bool
	Subject   string
	Warnings  []string
	Errors    []struct{ Pointer, Detail string }
	Limit     json.RawMessage `json:"limit_bytes"`
	Near      json.RawMessage
	Brands    json.RawMessage
	Shows     []knownShow
}

type knownShow struct{ State, Subject string }

func (a *answer) code() string { return a.Type[strings.LastIndex(a.Type, ":")+1:] }

func (a *answer) isGood() bool { return a.status >= 200 && a.status < 300 }

func (a *answer) isWorthARetry() bool {
	return a.status == 0 || a.status == 408 || a.status == 425 || a.status == 429 || a.status >= 500
}

// isAboutOneMessage tells what the next message may be spared from what it would be answered alike.
func (a *answer) isAboutOneMessage() bool { return a.status == 413 || a.status == 422 }

func (a *answer) String() string {
	if a.status == 0 {
		return "no answer: " + a.trouble
	}
	detail := a.Detail
	if detail == "" {
		detail = "no detail"
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", a.status, a.code())) + ": " + detail
}

type door struct {
	url, crawler string
	key          []byte
	clockOffset  time.Duration
	client       http.Client
}

func (d *door) now() time.Time { return time.Now().Add(d.clockOffset) }

// post posts until there is an answer that counts.
func (d *door) post(path string, body []byte) (*answer, error) {
	// One id for all tries of a message, so that it becomes one job whatever gets lost on the way. It is made of nothing but
	// chance: an id made of the content would, after an editor has rejected a show, name the old message for ever, and a new
	// crawl of the show would be answered with the old job.
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	id := "msg_" + hex.EncodeToString(random)
	clockWasSet := false
	for tries := 1; ; tries++ {
		a := d.tryOnce(path, id, body)
		if a.code() == "timestamp-out-of-window" && !clockWasSet && d.setClock(a) {
			clockWasSet = true
			a = d.tryOnce(path, id, body)
		}
		if !a.isWorthARetry() {
			return a, nil
		}
		if tries >= maxTries {
			return nil, stop("gave up after %d tries: %s", tries, a)
		}
		if err := d.wait(a, tries); err != nil {
			return nil, err
		}
	}
}

func (d *door) tryOnce(path, id string, body []byte) *answer {
	// Signed anew for every try: a timestamp older than five minutes is refused.
	timestamp := strconv.FormatInt(d.now().Unix(), 10)
	mac := hmac.New(sha256.New, d.key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	request, err := http.NewRequest(http.MethodPost, d.url+path, bytes.NewReader(body))
	if err != nil {
		return &answer{trouble: err.Error()}
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", timestamp)
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	request.Header.Set("x-ingest-crawler", d.crawler)
	response, err := d.client.Do(request)
	if err != nil {
		return &answer{trouble: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return &answer{trouble: err.Error()}
	}
	var a answer
	if json.Unmarshal(text, &a) != nil {
		a = answer{} // a proxy's page, say
	}
	a.status, a.header = response.StatusCode, response.Header
	return &a
}

// setClock is false when the answer does not say what time it is.
func (d *door) setClock(a *answer) bool {
	theirs, err := http.ParseTime(a.header.Get("Date"))
	if err != nil {
		return false
	}
	d.clockOffset = time.Until(theirs)
	remark("this clock is %.0f s off; going by the door's from here on", -d.clockOffset.Seconds())
	return true
}

// wait waits as long as the door asks, and else twice as long each time. With some chance in it, so that many don't come back
// at once.
func (d *door) wait(a *answer, tries int) error {
	asked := retryAfter(a.header.Get("Retry-After"), d.now())
	if asked > longestWait {
		return stop("the door asks to wait for %.0f s: %s", asked.Seconds(), a)
	}
	grown := seconds(math.Min(backoff.Seconds()*math.Pow(2, float64(tries-1)), longestBackoff.Seconds()))
	pause := grown/2 + seconds(mathrand.Float64()*grown.Seconds()/2)
	if asked > 0 {
		pause = asked + seconds(mathrand.Float64()*math.Min(backoff.Seconds(), 1))
	}
	remark("%s; again in %.1f s", a, pause.Seconds())
	time.Sleep(pause)
	return nil
}

// retryAfter takes seconds or a date; 0 when it is neither.
func retryAfter(value string, now time.Time) time.Duration {
	if count, err := strconv.ParseUint(value, 10, 31); err == nil {
		return seconds(float64(count))
	}
	if then, err := http.ParseTime(value); err == nil && then.After(now) {
		return then.Sub(now)
	}
	return 0
}

// show is a line of the input.
type show struct {
	number    int
	line      []byte
	isObject  bool
	isMessage bool
	data      map[string]json.RawMessage
}

func newShow(number int, line []byte) show {
	s := show{number: number, line: line}
	var text string
	var inner map[string]json.RawMessage
	s.isObject = json.Unmarshal(line, &s.data) == nil && s.data != nil
	s.isMessage = json.Unmarshal(s.data["type"], &text) == nil && json.Unmarshal(s.data["data"], &inner) == nil && inner != nil
	if s.isMessage {
		s.data = inner
	}
	return s
}

// body is the line as it came in: what is signed is bytes, and no number in it is read and written anew.
func (s show) body(now time.Time) []byte {
	if s.isMessage {
		return s.line
	}
	return envelope(messageType, now, s.line)
}

// question is the show without its pictures; nil when it has no name to ask by.
func (s show) question() map[string]json.RawMessage {
	asked := map[string]json.RawMessage{}
	for _, name := range askedNames {
		if s.has(name) {
			asked[name] = s.data[name]
		}
	}
	var source struct {
		URL        string `json:"url"`
		ExternalID string `json:"external_id"`
	}
	hasPage := json.Unmarshal(s.data["source"], &source) == nil && source.URL+source.ExternalID != ""
	hasSeason := s.has("season") || s.has("title") || (s.has("year") && s.has("term"))
	for _, name := range brandNames {
		if s.has(name) && hasSeason {
			return asked
		}
	}
	if hasPage {
		return asked
	}
	return nil
}

func (s show) has(name string) bool {
	switch string(s.data[name]) {
	case "", "null", `""`, "0":
		return false
	}
	return true
}

func (s show) say(words string, more ...string) {
	fmt.Printf("%d: %s\n", s.number, words)
	for _, line := range more {
		fmt.Println("   " + line)
	}
}

func envelope(messageType string, now time.Time, data []byte) []byte {
	head := fmt.Sprintf(`{"type":%q,"timestamp":"%s","data":`, messageType, now.UTC().Format(time.RFC3339))
	return append(append([]byte(head), data...), '}')
}

// askKnown is what the archive knows of the shows, by their numbers. A question that is refused is no reason not to send.
func askKnown(d *door, shows []show) (map[int]knownShow, error) {
	var numbers []int
	var questions []map[string]json.RawMessage
	for _, s := range shows {
		if question := s.question(); question != nil {
			numbers, questions = append(numbers, s.number), append(questions, question)
		}
	}
	if len(questions) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(map[string]any{"shows": questions})
	if err != nil {
		return nil, err
	}
	a, err := d.post("/known", envelope("show.known", d.now(), data))
	if err != nil {
		return nil, err
	}
	known := map[int]knownShow{}
	switch {
	case a.isGood():
		for place, one := range a.Shows {
			if place < len(numbers) {
				known[numbers[place]] = one
			}
		}
	case a.isAboutOneMessage():
		remark("could not ask what is known (%s); sending", a)
	default:
		return nil, stop("%s", a)
	}
	return known, nil
}

// send sends one show and says what became of it. It returns whether the show was accepted.
func send(d *door, s show) (bool, error) {
	a, err := d.post("", s.body(d.now()))
	if err != nil {
		return false, err
	}
	var more []string
	if a.isGood() {
		again := ""
		if a.Duplicate {
			again = " (an earlier try had arrived)"
		}
		for _, warning := range a.Warnings {
			more = append(more, "warning: "+warning)
		}
		s.say(fmt.Sprintf("accepted as job %s%s: %s", a.JobID, again, a.Subject), more...)
		return true, nil
	}
	if !a.isAboutOneMessage() {
		return false, stop("%s", a)
	}
	for _, problem := range a.Errors {
		more = append(more, problem.Pointer+": "+problem.Detail)
	}
	for name, value := range map[string]json.RawMessage{"limit_bytes": a.Limit, "near": a.Near, "brands": a.Brands} {
		if value != nil {
			more = append(more, name+": "+string(value))
		}
	}
	s.say("refused, "+a.String(), more...)
	return false, nil
}

func run(d *door, text []byte) int {
	var shows []show
	for index, line := range bytes.Split(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			shows = append(shows, newShow(index+1, line))
		}
	}
	var accepted, known, refused int
	var err error
	for start := 0; start < len(shows) && err == nil; start += showsAQuestion {
		end := start + showsAQuestion
		if end > len(shows) {
			end = len(shows)
		}
		var answers map[int]knownShow
		if answers, err = askKnown(d, shows[start:end]); err != nil {
			break
		}
		for _, s := range shows[start:end] {
			one := answers[s.number]
			if !s.isObject {
				s.say("refused, it is no JSON object")
				refused++
				continue
			}
			// Worth a crawl: what the archive has not, and what an editor turned down.
			if one.State != "" && one.State != "none" && one.State != "rejected" {
				s.say(fmt.Sprintf("known, %s: %s", one.State, one.Subject))
				known++
				continue
			}
			var isAccepted bool
			if isAccepted, err = send(d, s); err != nil {
				break
			}
			if isAccepted {
				accepted++
			} else {
				refused++
			}
		}
	}
	if err != nil {
		remark("Stopped: %s", err)
	}
	rest := len(shows) - accepted - known - refused
	remark("%d shows: %d accepted, %d known, %d refused, %d not sent", len(shows), accepted, known, refused, rest)
	if refused > 0 || rest > 0 {
		return 1
	}
	return 0
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func number(name, otherwise string) float64 {
	value, err := strconv.ParseFloat(setting(name, otherwise), 64)
	if err != nil {
		remark("%s is no number", name)
		os.Exit(2)
	}
	return value
}

func seconds(count float64) time.Duration { return time.Duration(count * float64(time.Second)) }

func remark(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }

// keyOf gives the bytes to sign with; nil when the secret is none.
func keyOf(secret string) []byte {
	encoded := strings.TrimPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if encoded == secret || err != nil || len(key) == 0 {
		return nil
	}
	return key
}

func main() {
	d := &door{
		url:         strings.TrimRight(setting("INGEST_URL", "http://127.0.0.1:8092/ingest"), "/"),
		crawler:     os.Getenv("INGEST_CRAWLER"),
		key:         keyOf(os.Getenv("INGEST_SECRET")),
		clockOffset: seconds(number("INGEST_CLOCK_OFFSET", "0")), // that this machine's clock is known to be behind
		client: http.Client{
			Timeout:       timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if len(os.Args) > 2 || d.crawler == "" || d.key == nil {
		remark("Usage: INGEST_CRAWLER=name INGEST_SECRET=whsec_... go run send.go [shows.jsonl]")
		os.Exit(2)
	}
	mathrand.Seed(time.Now().UnixNano())
	input := os.Stdin
	if len(os.Args) == 2 && os.Args[1] != "-" {
		file, err := os.Open(os.Args[1])
		if err != nil {
			remark("%s", err)
			os.Exit(2)
		}
		input = file
	}
	text, err := io.ReadAll(input)
	if err != nil {
		remark("%s", err)
		os.Exit(2)
	}
	os.Exit(run(d, text))
}
