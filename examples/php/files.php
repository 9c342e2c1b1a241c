<?php
// Stores, lists, reads, signs and deletes a file. Prints the signed URL.

function call(string $method, string $path, string|array $body = ""): string
{
    $headers = ["API-Key: " . getenv("HOLDALL_KEY")];
    if (is_array($body)) {
        $headers[] = "Content-Type: application/json";
        $body = json_encode($body);
    }
    $request = curl_init(getenv("HOLDALL_URL") . "/api/" . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $answer = curl_exec($request);
    $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
    // A failure has `error.code` and `error.message`.
    if ($answer === false || $status >= 400) {
        throw new RuntimeException("$method $path: $status " . ($answer ?: curl_error($request)));
    }
    return $answer;
}

call("PUT", "files/content?key=php/notes.txt&visibility=private", "Low tide at six.");
foreach (json_decode(call("GET", "folders?key=php"))->data->files as $file) {
    echo $file->key, "\n";
}
echo call("GET", "files/content?key=php/notes.txt"), "\n";
$signed = json_decode(call("POST", "files/sign", ["key" => "php/notes.txt", "expiresIn" => 600]));
echo getenv("HOLDALL_URL"), "/", $signed->data->url, "\n";
call("DELETE", "files", ["keys" => ["php/notes.txt"]]);
