package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Seconds that a delivery may be old.
const tolerance = 300

// Your secret; during a rotation the old and the new one, separated by a space.
var secrets = strings.Fields(os.Getenv("WEBHOOK_SECRETS"))

func sign(key []byte, content []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(content)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// verify tells whether a delivery is genuine and fresh. body is the raw body, before anything parses it.
func verify(body []byte, header http.Header) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	age := time.Now().Unix() - sent
	if age > tolerance || age < -tolerance {
		return false
	}
	content := append([]byte(id+"."+timestamp+"."), body...)
	signatures := strings.SplitN(header.Get("webhook-signature"), " ", 9)
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		expected := []byte("v1," + sign(key, content))
		for _, signature := range signatures {
			if hmac.Equal(expected, []byte(signature)) {
				return true
			}
		}
	}
	return false
}

// verifyBody tells whether a delivery is genuine, by the service's own header. It does not cover the time.
func verifyBody(body []byte, header http.Header) bool {
	sent := []byte(header.Get("X-{{service}}-Hmac-SHA256"))
	for _, secret := range secrets {
		if hmac.Equal([]byte(sign([]byte(secret), body)), sent) {
			return true
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil || !verify(body, r.Header) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct{ Event string }
	if err := json.Unmarshal(body, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store the event under its webhook-id, answer, and work afterwards.
	log.Println(r.Header.Get("webhook-id"), event.Event)
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/", receive)
	log.Fatal(http.ListenAndServe(":3000", nil))
}
