// Stores, lists, reads, signs and deletes a file. Prints the signed URL.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

// call returns the body of a successful response; failures have `error.code` and `error.message`.
func call(method, path, body string) []byte {
	request, err := http.NewRequest(method, os.Getenv("HOLDALL_URL")+"/api/"+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("API-Key", os.Getenv("HOLDALL_KEY"))
	if strings.HasPrefix(body, "{") {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 400 {
		log.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, content, err)
	}
	return content
}

func main() {
	call("PUT", "files/content?key=go/notes.txt&visibility=private", "Low tide at six.")
	var list struct {
		Data struct{ Files []struct{ Key string } }
	}
	if err := json.Unmarshal(call("GET", "folders?key=go", ""), &list); err != nil {
		log.Fatal(err)
	}
	for _, file := range list.Data.Files {
		fmt.Println(file.Key)
	}
	fmt.Println(string(call("GET", "files/content?key=go/notes.txt", "")))
	var signed struct{ Data struct{ URL string } }
	if err := json.Unmarshal(call("POST", "files/sign", `{"key": "go/notes.txt", "expiresIn": 600}`), &signed); err != nil {
		log.Fatal(err)
	}
	fmt.Println(os.Getenv("HOLDALL_URL") + "/" + signed.Data.URL)
	call("DELETE", "files", `{"keys": ["go/notes.txt"]}`)
}
