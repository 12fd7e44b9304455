package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(`{"name": "Sol", "active": true}`)
	request, err := http.NewRequest("POST", "{{origin}}/v2/{{store}}/catalog/brands", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("User-Token", "{{user_token}}")
	request.Header.Set("User-Secret-Key", "{{user_secret}}")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	var answer struct {
		Code, Hint string
		Errors     map[string][]string
		Data       struct {
			ID   int
			Name string
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusCreated {
		log.Fatalf("%s: %s %v", answer.Code, answer.Hint, answer.Errors)
	}
	fmt.Printf("Created brand %d: %s\n", answer.Data.ID, answer.Data.Name)
}
