package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

type page struct {
	Code, Hint string
	Errors     map[string][]string
	Data       []struct {
		ID   int
		Name string
	}
	Meta struct {
		Pagination struct {
			Links struct{ Next string }
		}
	}
}

func get(url string) (page, error) {
	var answer page
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return answer, err
	}
	request.Header.Set("User-Token", "{{user_token}}")
	request.Header.Set("User-Secret-Key", "{{user_secret}}")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return answer, err
	}
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("%s: %s %v", answer.Code, answer.Hint, answer.Errors)
	}
	return answer, nil
}

func main() {
	count := 0
	url := "{{origin}}/v2/{{store}}/catalog/products?limit=100&include=skus"
	for url != "" {
		answer, err := get(url)
		if err != nil {
			log.Fatal(err)
		}
		for _, product := range answer.Data {
			fmt.Println(product.ID, product.Name)
		}
		count += len(answer.Data)
		url = answer.Meta.Pagination.Links.Next
	}
	fmt.Println(count, "products")
}
