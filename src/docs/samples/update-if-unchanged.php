<?php
/** Calls the API. Returns the status, the ETag and the body. */
function call(string $method, string $path, array $headers = [], ?array $body = null): array
{
    $etag = null;
    $request = curl_init('{{origin}}/v2/{{store}}' . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => [
            'User-Token: {{user_token}}',
            'User-Secret-Key: {{user_secret}}',
            'Content-Type: application/json',
            ...$headers,
        ],
        CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$etag) {
            if (preg_match('/^ETag: (\S+)/i', $line, $match)) {
                $etag = $match[1];
            }
            return strlen($line);
        },
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    $answer = json_decode(curl_exec($request), true);
    return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), $etag, $answer];
}

do {
    [, $etag, $brand] = call('GET', '/catalog/brands/1');
    $change = ['name' => 'Serra Azul', 'active' => $brand['active']];
    [$status, , $answer] = call('PUT', '/catalog/brands/1', ["If-Match: $etag"], $change);
} while ($status === 412); // Another caller changed it: read it again, and decide anew.
if ($status !== 200) {
    exit("{$answer['code']}: {$answer['hint']} " . json_encode($answer['errors'] ?? []) . "\n");
}
echo "Renamed brand 1 to {$answer['data']['name']}\n";
